package io.acaciafs.namespace.tree;

import io.acaciafs.kv.Key;
import io.acaciafs.kv.Reader;
import io.acaciafs.kv.Transaction;
import io.acaciafs.namespace.context.Caller;
import io.acaciafs.namespace.context.CommitNotes;
import io.acaciafs.namespace.context.EntryRows;
import io.acaciafs.namespace.context.FileBlocks;
import io.acaciafs.namespace.context.OperationContext;
import io.acaciafs.namespace.context.Root;
import io.acaciafs.namespace.directory.Directories;
import io.acaciafs.namespace.directory.NamedInode;
import io.acaciafs.namespace.lease.Leases;
import io.acaciafs.namespace.lookup.PathResolver;
import io.acaciafs.namespace.lookup.ReadAhead;
import io.acaciafs.namespace.path.PathUse;
import io.acaciafs.namespace.path.PeekedPath;
import io.acaciafs.namespace.path.ResolvedPath;
import io.acaciafs.namespace.permission.PermissionChecker;
import io.acaciafs.namespace.quota.QuotaLedger;
import io.acaciafs.namespace.record.Buckets;
import io.acaciafs.namespace.record.DirectoryCounters;
import io.acaciafs.namespace.record.DirectoryInode;
import io.acaciafs.namespace.record.FileBlock;
import io.acaciafs.namespace.record.FileInode;
import io.acaciafs.namespace.record.Inode;
import io.acaciafs.namespace.record.InodeLocation;
import io.acaciafs.namespace.record.Locator;
import io.acaciafs.namespace.record.NamespaceKeys;
import io.acaciafs.namespace.record.OpenFile;
import io.acaciafs.namespace.record.SymlinkInode;
import io.acaciafs.namespace.settings.NamespaceSettings;
import io.acaciafs.namespace.summary.SubtreeTotals;
import io.acaciafs.namespace.summary.SubtreeWalk;
import java.io.IOException;
import java.util.Collection;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.apache.hadoop.hdfs.protocol.HdfsConstants;
import org.jspecify.annotations.Nullable;

/**
 * The tree as one attempt of an operation sees it: rows read and written as inodes. Every inode on
 * the way of a resolved path is guarded, so what an operation decides holds at its commit. It is
 * the front of the parts that do the work, on one {@link OperationContext}. Like its transaction it
 * is used by one thread, once, and does not see its own writes.
 */
public final class Tree {
  private static final byte[] NO_NAME = new byte[0];

  private final OperationContext context;
  private final SharedState shared;
  private final Transaction transaction;
  private final CommitNotes notes = new CommitNotes();
  private final QuotaLedger quotas;
  private final PermissionChecker permissions;
  private final PathResolver paths;

  public Tree(OperationContext context, SharedState shared) {
    this.context = context;
    this.shared = shared;
    this.transaction = context.transaction();
    this.quotas = new QuotaLedger(context);
    this.permissions = new PermissionChecker(context);
    this.paths = new PathResolver(context, shared.directories(), permissions, quotas, notes);
  }

  public Caller caller() {
    return context.caller();
  }

  public NamespaceSettings settings() {
    return context.settings();
  }

  public Leases leases() {
    return shared.leases();
  }

  public FileBlocks blocks() {
    return context.blocks();
  }

  public Transaction transaction() {
    return transaction;
  }

  /** Reads that guard nothing, of the read view of the operation if it has one. */
  public Reader unguarded() {
    return context.unguarded();
  }

  /** The read view that the operation uses; null if it uses none. */
  public @Nullable Reader readViewInUse() {
    return context.readViewInUse();
  }

  /** What the operation noted for its commit. */
  public CommitNotes notes() {
    return notes;
  }

  public QuotaLedger quotas() {
    return quotas;
  }

  /** What is in directories. */
  public Directories directories() {
    return new Directories(context);
  }

  public PermissionChecker permissions() {
    return permissions;
  }

  /** What follows from the loss of an entry. */
  public Removal removal() {
    return new Removal(context, quotas, notes);
  }

  /** The time of this operation, since the epoch. */
  public long nowMs() {
    return context.nowMs();
  }

  /** For a new inode of this name. */
  public long nextInodeId(DirectoryInode directory, byte[] name) {
    return context.nextInodeId(directory, name);
  }

  public long nextBlockId() {
    return context.nextBlockId();
  }

  /**
   * Lets the operation fail although what it wrote stays; one that throws by itself leaves nothing.
   */
  public void refuseAfterCommit(IOException refusal) {
    notes.refuseAfterCommit(refusal);
  }

  /**
   * A client's lease counts as renewed when the operation is about to be committed: nobody sees the
   * file that it opens with a lease that has run out.
   */
  public void renewBeforeCommit(String clientName) {
    notes.renewBeforeCommit(clientName);
  }

  /** A client's lease counts as renewed once the operation is committed, and not before. */
  public void renewAfterCommit(String clientName) {
    notes.renewAfterCommit(clientName);
  }

  // ---- paths

  /** Shows the first path that is followed to a watcher, before it is judged in any way. */
  public void onFirstPath(Consumer<ResolvedPath> watcher) {
    paths.onFirstPath(watcher);
  }

  /**
   * Follows a path and checks that the caller may traverse it.
   *
   * @throws org.apache.hadoop.fs.InvalidPathException for a name that cannot be created
   * @throws org.apache.hadoop.security.AccessControlException when a directory on the way may not
   *     be traversed, or, unless for CREATE, is no directory
   * @throws org.apache.hadoop.fs.ParentNotDirectoryException for CREATE below a file
   * @throws org.apache.hadoop.hdfs.protocol.UnresolvedPathException for a symbolic link on the way,
   *     or at its end unless the use wants the link itself
   */
  public ResolvedPath resolve(String path, PathUse use) throws IOException {
    return paths.resolve(path, use);
  }

  /**
   * Finds a file that is being written, wherever it was renamed to.
   *
   * @param fileId 0 from clients that know none: then the path alone counts
   */
  public ResolvedPath resolve(String path, long fileId) throws IOException {
    return paths.resolve(path, fileId);
  }

  /** The place of an inode; null when there is none with this id, or when it was deleted. */
  public @Nullable ResolvedPath resolve(long inodeId) {
    return paths.resolve(inodeId);
  }

  /**
   * The last name of a path below {@code /.reserved}, with an inode id replaced by its name.
   *
   * @throws java.io.FileNotFoundException when there is no such inode
   */
  public byte[] nameBehindReserved(String path) throws IOException {
    return paths.nameBehindReserved(path);
  }

  /** Null where there is none. Guarded either way. */
  public @Nullable Inode child(DirectoryInode directory, byte[] name) {
    return context.child(directory, name);
  }

  /** The same without a guard, of a directory that may have lost its place in the tree. */
  public @Nullable Inode peekChild(Locator directory, Buckets buckets, byte[] name) {
    return context.inodeOf(EntryRows.read(transaction.unguarded(), directory, buckets, name));
  }

  /**
   * Names the entries that are going to be looked at, so that an engine far away can be asked for
   * all of them at once.
   */
  public void readAhead(String... wanted) {
    if (context.hasRemoteReads()) {
      ahead().entries(wanted);
    }
  }

  /**
   * Names a file that is going to be looked at with its blocks: where it is remembered which these
   * are, an engine far away is asked for all at once.
   */
  public void readAheadWithBlocks(String path) {
    if (context.hasRemoteReads()) {
      ahead().fileWithBlocks(path);
    }
  }

  /**
   * Names the blocks of a file that the reply will contain. An engine on other servers then reads
   * all of them that it has not read yet. The transaction guards rows of blocks that do not alone
   * show that they are of the file's moment, as it guards the file.
   *
   * @return whether all rows show it
   */
  public boolean readAhead(FileInode file, Supplier<? extends Collection<FileBlock>> told) {
    return !context.hasRemoteReads() || ahead().blocks(file, told.get());
  }

  /**
   * The same for the files in a page of a listing, in the state that the listing saw. For a file
   * whose blocks have changed meanwhile, the page shows the current state.
   *
   * @return those that are still there
   */
  public List<NamedInode> readAhead(DirectoryInode directory, List<NamedInode> entries) {
    // a moment has the blocks as well
    return context.readView() != null ? entries : ahead().blocks(directory, entries);
  }

  private ReadAhead ahead() {
    return new ReadAhead(context, shared.directories());
  }

  /** Where a file or directory is, without a guard; null when it is not there any more. */
  public @Nullable PeekedPath peekPath(long inodeId) {
    return PeekedPath.of(transaction.unguarded(), context.codec(), inodeId);
  }

  /**
   * Asks whether what a path leads to may be deleted or renamed: it may not where it or something
   * below it is protected and not empty. That a directory is empty is guarded.
   *
   * @throws org.apache.hadoop.security.AccessControlException when it may not
   */
  public void checkProtected(ResolvedPath path) throws IOException {
    shared.protectedDirectories().check(context, path);
  }

  /** Whether a directory may have so many entries, as far as it is known without asking. */
  public boolean mayHaveItems(DirectoryInode directory, long items) {
    return shared
        .itemCounts()
        .mayReach(
            directory.id(),
            items,
            () -> EntryRows.counters(transaction.unguarded(), directory).entries());
  }

  /**
   * Counts what is below a directory, on this thread.
   *
   * @throws org.apache.hadoop.security.AccessControlException where a directory in it, or {@code
   *     top} itself, may not be read
   */
  public SubtreeTotals count(DirectoryInode top) throws IOException {
    return SubtreeWalk.countAlone(context, shared.summaryCache(), top);
  }

  // ---- attributes

  /**
   * @param directoryPolicyId storage policy of its directory, which it inherits
   */
  public InodeStatus status(byte[] localName, Inode inode, byte directoryPolicyId) {
    byte ownPolicyId = inode.features().storagePolicyId();
    byte policyId =
        ownPolicyId == HdfsConstants.BLOCK_STORAGE_POLICY_ID_UNSPECIFIED
            ? directoryPolicyId
            : ownPolicyId;
    long modificationTimeMs = inode.attributes().modificationTimeMs();
    if (inode instanceof DirectoryInode directory) {
      DirectoryCounters counters = directories().counters(directory);
      return new InodeStatus(
          localName,
          inode,
          Math.max(modificationTimeMs, counters.modificationTimeMs()),
          (int) Math.min(Integer.MAX_VALUE, counters.entries()),
          policyId);
    }
    return inode instanceof SymlinkInode
        ? new InodeStatus(localName, inode, modificationTimeMs, 0)
        : new InodeStatus(localName, inode, modificationTimeMs, 0, policyId);
  }

  /**
   * The status of an inode asked for by its path.
   *
   * @param inode what the path leads to, or what this operation puts there
   */
  public InodeStatus status(ResolvedPath path, Inode inode) {
    return status(NO_NAME, permissions.shown(path, inode), path.inheritedStoragePolicyId());
  }

  /**
   * The status of an entry of the directory that a path leads to.
   *
   * @param policyId storage policy of the directory
   */
  public InodeStatus status(ResolvedPath directory, NamedInode entry, byte policyId) {
    return status(
        entry.name(), permissions.shown(directory, entry.name(), entry.inode()), policyId);
  }

  // ---- writing

  /** Adds a new inode. */
  public void add(DirectoryInode directory, byte[] name, Inode inode) {
    transaction
        .remoteReads()
        .putNewIndex(
            NamespaceKeys.inode(inode.id()), new InodeLocation(directory.locator(), name).encode());
    putNew(directory, name, inode);
    quotas.add(directory, inode);
    if (inode instanceof DirectoryInode added) {
      notes.added(added);
      if (!added.buckets().isOne()) {
        transaction.put(NamespaceKeys.header(added.locator()), added.buckets().encode());
      }
    }
  }

  /**
   * Moves an inode to another name. Its location is not an index row here: one that ran ahead of a
   * rename which then failed would hide the inode from callers that know it by id.
   */
  public void move(
      DirectoryInode from, byte[] oldName, DirectoryInode to, byte[] newName, Inode inode) {
    notes.changes(inode);
    detach(from, oldName, inode);
    transaction
        .remoteReads()
        .replace(
            NamespaceKeys.inode(inode.id()), new InodeLocation(to.locator(), newName).encode());
    putNew(to, newName, inode);
    quotas.move(from, to, inode);
  }

  /** Replaces an entry by a new state of the same inode. */
  public void update(DirectoryInode directory, byte[] name, Inode inode) {
    notes.changes(inode);
    notes.isAbout(inode);
    Key key = context.rows().ofExisting(directory, name);
    transaction.put(key, context.codec().encode(inode));
    if (inode instanceof FileInode file && quotas.update(directory, file)) {
      transaction.add(EntryRows.countersBeside(directory, key), DirectoryCounters.touch());
    }
  }

  private void putNew(DirectoryInode directory, byte[] name, Inode inode) {
    notes.isAbout(inode);
    Key key = EntryRows.ofNew(directory, name);
    transaction.put(key, context.codec().encode(inode));
    count(directory, key, 1);
    if (settings().directories().splitThreshold() > 0) {
      shared.splitCandidates().note(directory, key);
    }
  }

  /** Replaces the inode that a path leads to by a new state of it. */
  public void update(ResolvedPath path, Inode inode) {
    if (path.isRoot()) {
      notes.changes(inode);
      notes.isAbout(inode);
      transaction.put(Root.KEY, context.codec().encode(inode));
    } else {
      update(path.parentDirectory(), path.name(), inode);
    }
  }

  private void detach(DirectoryInode directory, byte[] name, Inode inode) {
    Key key = context.rows().ofExisting(directory, name);
    transaction.delete(key);
    notes.losesName(key, inode);
    count(directory, key, -1);
  }

  /**
   * Removes an entry and all that belongs to it: the blocks of a file, and, in the background, what
   * is below a directory.
   */
  public void remove(DirectoryInode directory, byte[] name, Inode inode) {
    notes.changes(inode);
    detach(directory, name, inode);
    quotas.remove(directory, inode);
    removal().release(inode);
  }

  /** Notes that a file that was just made is open for writing. */
  public void rememberNewOpenFile(long fileId, String clientName) {
    transaction
        .remoteReads()
        .putNewIndex(NamespaceKeys.openFile(fileId), new OpenFile(clientName, false).encode());
  }

  /** Notes that a file is open for writing. */
  public void rememberOpenFile(long fileId, String clientName) {
    transaction.putIndex(NamespaceKeys.openFile(fileId), new OpenFile(clientName, false).encode());
  }

  /** Notes that an open file is to be closed without its writer. */
  public void rememberRecovery(long fileId, String clientName) {
    notes.recoveryBegins();
    transaction.putIndex(NamespaceKeys.openFile(fileId), new OpenFile(clientName, true).encode());
  }

  public void forgetOpenFile(long fileId) {
    transaction.deleteIndex(NamespaceKeys.openFile(fileId));
  }

  /**
   * Gives a directory other buckets.
   *
   * @param directory the inode that the path leads to, with what else is new in it
   * @return the inode as it is now
   */
  public DirectoryInode setBuckets(ResolvedPath path, DirectoryInode directory, Buckets buckets) {
    DirectoryInode changed = context.rows().setBuckets(directory, buckets);
    update(path, changed);
    return changed;
  }

  /** Sets a directory's modification time, earlier ones included. */
  public void setModificationTime(ResolvedPath path, DirectoryInode directory, long timeMs) {
    context.rows().forgetModificationTime(directory, timeMs);
    update(path, directory.with(directory.attributes().withModificationTimeMs(timeMs)));
  }

  private void count(DirectoryInode directory, Key entry, int entries) {
    transaction.add(
        EntryRows.countersBeside(directory, entry), DirectoryCounters.delta(entries, nowMs()));
  }

  /** A new directory, not yet in the tree. */
  public DirectoryInode newDirectory(
      DirectoryInode parent, byte[] name, Inode.Attributes attributes) {
    long id = nextInodeId(parent, name);
    return new DirectoryInode(
        id,
        context.newLocator(parent, id),
        attributes,
        Buckets.uniform(settings().directories().firstBuckets()));
  }
}
