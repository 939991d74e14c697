package io.acaciafs.namespace.op.file;

import io.acaciafs.namespace.op.attribute.AclRules;
import io.acaciafs.namespace.op.attribute.SetReplication;
import io.acaciafs.namespace.op.common.FileSizes;
import io.acaciafs.namespace.op.common.Files;
import io.acaciafs.namespace.op.common.ReservedDirectory;
import io.acaciafs.namespace.op.directory.NewEntry;
import io.acaciafs.namespace.op.lease.LeaseTakeover;
import io.acaciafs.namespace.op.policy.ErasureCodingRules;
import io.acaciafs.namespace.op.policy.StoragePolicyRules;
import io.acaciafs.namespace.path.PathNames;
import io.acaciafs.namespace.path.PathUse;
import io.acaciafs.namespace.path.ResolvedPath;
import io.acaciafs.namespace.record.DirectoryInode;
import io.acaciafs.namespace.record.FileInode;
import io.acaciafs.namespace.record.Inode;
import io.acaciafs.namespace.run.AtMostOnce;
import io.acaciafs.namespace.settings.NamespaceSettings;
import io.acaciafs.namespace.tree.InodeStatus;
import io.acaciafs.namespace.tree.Tree;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import org.apache.hadoop.HadoopIllegalArgumentException;
import org.apache.hadoop.fs.CreateFlag;
import org.apache.hadoop.fs.FileAlreadyExistsException;
import org.apache.hadoop.fs.InvalidPathException;
import org.apache.hadoop.fs.permission.FsAction;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.protocol.HdfsConstants;
import org.apache.hadoop.hdfs.server.namenode.INodeId;
import org.jspecify.annotations.Nullable;

/**
 * Creates a file and opens it for writing; with OVERWRITE the file that was there is removed in the
 * same transaction.
 *
 * @param mode with the client's umask applied; may carry the unmasked mode as well
 * @param clientName the holder of the lease from now on
 * @param createParent false: {@link FileNotFoundException} when the parent is missing
 */
public record CreateFile(
    String path,
    FsPermission mode,
    String clientName,
    EnumSet<CreateFlag> flags,
    boolean createParent,
    BlockOptions blocks)
    implements AtMostOnce<InodeStatus> {

  /**
   * How the file's blocks are kept.
   *
   * @param sizeBytes of each block but the last
   * @param storagePolicy name of a policy; empty: inherited
   * @param erasureCodingPolicy name of a policy, of which plain replication alone can be used;
   *     empty: inherited
   */
  public record BlockOptions(
      short replication, long sizeBytes, String storagePolicy, String erasureCodingPolicy) {}

  /** With the policies of its directory. */
  public CreateFile(
      String path,
      FsPermission mode,
      String clientName,
      EnumSet<CreateFlag> flags,
      boolean createParent,
      short replication,
      long blockSizeBytes) {
    this(
        path,
        mode,
        clientName,
        flags,
        createParent,
        new BlockOptions(replication, blockSizeBytes, "", ""));
  }

  /**
   * @throws FileAlreadyExistsException when there is a directory, or a closed file and no OVERWRITE
   * @throws org.apache.hadoop.hdfs.protocol.AlreadyBeingCreatedException when the file is open and
   *     there is no OVERWRITE
   * @throws FileNotFoundException when there is nothing to overwrite and no CREATE
   * @throws IllegalArgumentException when no file may have such blocks
   */
  @Override
  public @Nullable InodeStatus run(Tree tree) throws IOException {
    NewEntry.checkPathLength("create", path);
    if (!PathNames.isValid(path) || isReserved(path)) {
      throw new InvalidPathException(path);
    }
    if (!blocks.erasureCodingPolicy.isEmpty() && flags.contains(CreateFlag.SHOULD_REPLICATE)) {
      throw new HadoopIllegalArgumentException(
          "SHOULD_REPLICATE flag and ecPolicyName are exclusive parameters. Set both is not"
              + " allowed!");
    }
    ResolvedPath resolved = tree.resolve(path, PathUse.CREATE);
    checkPlace(tree, resolved);
    checkSizes(tree.settings(), tree.caller().clientMachine());
    if (resolved.inode() instanceof FileInode file) {
      if (!flags.contains(CreateFlag.OVERWRITE)) {
        return refuse(tree, resolved, file);
      }
      tree.remove(resolved.parentDirectory(), resolved.name(), file);
    }
    return tree.status(resolved, add(tree, resolved));
  }

  private static boolean isReserved(String path) {
    boolean reserved = ReservedDirectory.isAt(path) || path.startsWith("/.reserved/");
    return reserved && !path.startsWith("/.reserved/raw") && !path.startsWith("/.reserved/.inodes");
  }

  private void checkPlace(Tree tree, ResolvedPath resolved) throws IOException {
    tree.permissions().checkAncestor(resolved, FsAction.WRITE);
    if (resolved.exists()) {
      if (resolved.existing().isDirectory()) {
        throw new FileAlreadyExistsException(resolved + " already exists as a directory");
      }
      if (flags.contains(CreateFlag.OVERWRITE)) {
        tree.permissions().checkInode(resolved, FsAction.WRITE);
      }
      return;
    }
    if (!createParent) {
      NewEntry.requireParentDirectory(resolved);
    }
    if (!flags.contains(CreateFlag.CREATE)) {
      throw new FileNotFoundException("Can't overwrite non-existent " + path);
    }
  }

  private void checkSizes(NamespaceSettings settings, String clientMachine) throws IOException {
    if (blocks.sizeBytes < settings.limits().minBlockSizeBytes()) {
      throw new IOException(
          "Specified block size "
              + blocks.sizeBytes
              + " is less than configured minimum value dfs.namenode.fs-limits.min-block-size="
              + settings.limits().minBlockSizeBytes());
    }
    if (!blocks.erasureCodingPolicy.isEmpty()) {
      ErasureCodingRules.usable(blocks.erasureCodingPolicy);
    }
    SetReplication.check(settings, path, blocks.replication, clientMachine);
  }

  /** A file that its writer has left behind is closed on this occasion. */
  private @Nullable InodeStatus refuse(Tree tree, ResolvedPath resolved, FileInode file)
      throws IOException {
    if (file.isUnderConstruction()) {
      FileInode closed = LeaseTakeover.take(tree, resolved, file, "CREATE_FILE", clientName);
      if (closed == null) {
        return null;
      }
      Files.close(tree, resolved, closed);
    }
    tree.refuseAfterCommit(
        new FileAlreadyExistsException(
            resolved + " for client " + tree.caller().clientMachine() + " already exists"));
    return null;
  }

  private FileInode add(Tree tree, ResolvedPath resolved) throws IOException {
    DirectoryInode parent =
        resolved.parent() instanceof DirectoryInode existing
            ? existing
            : NewEntry.createAncestors(tree, resolved, modeOfAncestors(resolved));
    if (!resolved.exists()) {
      NewEntry.checkName(tree, parent, resolved, resolved.lastIndex());
    }
    FileInode file =
        new FileInode(
            tree.nextInodeId(parent, resolved.name()),
            attributes(tree, resolved, parent),
            FileSizes.replication(blocks.replication),
            FileSizes.preferredBlockSize(blocks.sizeBytes),
            List.of(),
            new FileInode.Writer(clientName, tree.caller().clientMachine()));
    tree.add(parent, resolved.name(), file);
    tree.rememberNewOpenFile(file.id(), clientName);
    tree.renewBeforeCommit(clientName);
    return file;
  }

  /** As in HDFS, missing directories get the mode of the deepest one that exists. */
  private static FsPermission modeOfAncestors(ResolvedPath resolved) {
    return resolved
        .inodes()
        .get(Math.min(resolved.inodes().size(), resolved.names().size()) - 1)
        .attributes()
        .permission();
  }

  private Inode.Attributes attributes(Tree tree, ResolvedPath resolved, DirectoryInode parent) {
    byte policyId =
        StoragePolicyRules.ofNewFile(
            tree.settings().features().storagePolicies(),
            resolved.inheritedStoragePolicyId(),
            blocks.storagePolicy,
            flags.contains(CreateFlag.LAZY_PERSIST));
    Inode.Attributes attributes =
        AclRules.inherit(
            tree.settings(),
            parent,
            mode,
            false,
            new Inode.Attributes(
                tree.caller().user(),
                parent.attributes().group(),
                mode.toShort(),
                tree.nowMs(),
                tree.nowMs()));
    return attributes.withFeatures(attributes.features().withStoragePolicyId(policyId));
  }

  @Override
  public @Nullable Long answer(@Nullable InodeStatus result) {
    return result == null ? null : (Long) result.inode().id();
  }

  /** Also where somebody has deleted the file since: as HDFS, which keeps the whole answer. */
  @Override
  public InodeStatus repeat(Tree tree, long answer) {
    ResolvedPath created = tree.resolve(answer);
    return created == null ? asItWas(tree, answer) : tree.status(created, created.existing());
  }

  private InodeStatus asItWas(Tree tree, long id) {
    Inode.Attributes attributes =
        new Inode.Attributes(
            tree.caller().user(),
            Objects.requireNonNull(tree.resolve(INodeId.ROOT_INODE_ID), "there is a root")
                .existing()
                .attributes()
                .group(),
            mode.toShort(),
            tree.nowMs(),
            tree.nowMs());
    FileInode file =
        new FileInode(
            id,
            attributes,
            FileSizes.replication(blocks.replication),
            FileSizes.preferredBlockSize(blocks.sizeBytes),
            List.of(),
            new FileInode.Writer(clientName, tree.caller().clientMachine()));
    return tree.status(new byte[0], file, HdfsConstants.BLOCK_STORAGE_POLICY_ID_UNSPECIFIED);
  }
}
