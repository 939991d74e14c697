package io.acaciafs.namespace.op.file;

import io.acaciafs.namespace.op.common.Files;
import io.acaciafs.namespace.path.PathUse;
import io.acaciafs.namespace.path.ResolvedPath;
import io.acaciafs.namespace.record.FileBlock;
import io.acaciafs.namespace.record.FileInode;
import io.acaciafs.namespace.run.AtMostOnce;
import io.acaciafs.namespace.tree.Tree;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.HadoopIllegalArgumentException;
import org.apache.hadoop.fs.permission.FsAction;

/**
 * Moves the blocks of files, in this order, to the end of another file in the same directory, and
 * removes the files. One transaction: no byte is ever in two files or in none.
 */
public record ConcatFiles(String target, List<String> sources) implements AtMostOnce.Done {
  /**
   * @throws java.io.FileNotFoundException when one of them is no file
   * @throws HadoopIllegalArgumentException when one of them is being written, a source is empty,
   *     named twice, in another directory, or has larger blocks than the target may have
   */
  @Override
  public Void run(Tree tree) throws IOException {
    checkPaths();
    ResolvedPath to = tree.resolve(target, PathUse.WRITE);
    tree.permissions().checkInode(to, FsAction.WRITE);
    FileInode file = Files.require(to, target);
    if (file.isUnderConstruction()) {
      throw new HadoopIllegalArgumentException(
          "concat: target file " + target + " is under construction");
    }
    List<ResolvedPath> from = checkSources(tree, to, file);
    List<FileBlock> blocks = new ArrayList<>(file.blocks());
    for (ResolvedPath path : from) {
      FileInode source = (FileInode) path.existing();
      blocks.addAll(source.blocks());
      tree.blocks().reassign(tree.transaction(), source.blocks(), file.id(), file.replication());
      FileInode emptied = source.withBlocks(List.of());
      tree.update(path, emptied); // its bytes do not count twice
      tree.remove(path.parentDirectory(), path.name(), emptied);
    }
    tree.update(
        to, file.withBlocks(blocks).with(file.attributes().withModificationTimeMs(tree.nowMs())));
    return null;
  }

  private void checkPaths() throws IOException {
    if (target.isEmpty()) {
      throw new IllegalArgumentException("Target file name is empty");
    }
    if (sources.isEmpty()) {
      throw new IllegalArgumentException("No sources given");
    }
    checkNotReserved(target);
    for (String source : sources) {
      checkNotReserved(source);
    }
  }

  private static void checkNotReserved(String path) throws IOException {
    if (path.startsWith("/.reserved/raw") || path.startsWith("/.reserved/.inodes")) {
      throw new IOException("Concat operation doesn't support .reserved relative path : " + path);
    }
  }

  private List<ResolvedPath> checkSources(Tree tree, ResolvedPath to, FileInode file)
      throws IOException {
    List<ResolvedPath> from = new ArrayList<>();
    Set<Long> ids = new HashSet<>();
    for (String source : sources) {
      ResolvedPath path = tree.resolve(source, PathUse.WRITE);
      tree.permissions().checkInode(path, FsAction.READ);
      tree.permissions().checkRemove(path);
      checkSource(source, path, Files.require(path, source), to, file);
      from.add(path);
      ids.add(path.existing().id());
    }
    if (ids.size() < sources.size()) {
      throw new HadoopIllegalArgumentException(
          "concat: at least two of the source files are the same");
    }
    return from;
  }

  private static void checkSource(
      String name, ResolvedPath path, FileInode source, ResolvedPath to, FileInode file) {
    if (path.parentDirectory().id() != to.parentDirectory().id()) {
      throw new HadoopIllegalArgumentException(
          "Source file " + name + " is not in the same directory with the target " + to);
    }
    if (source.id() == file.id()) {
      throw new HadoopIllegalArgumentException(
          "concat: the src file " + name + " is the same with the target file " + to);
    }
    if (source.isUnderConstruction() || source.blocks().isEmpty()) {
      throw new HadoopIllegalArgumentException(
          "concat: source file " + name + " is invalid or empty or underConstruction");
    }
    if (source.preferredBlockSizeBytes() > file.preferredBlockSizeBytes()) {
      throw new HadoopIllegalArgumentException(
          "concat: source file "
              + name
              + " has preferred block size "
              + source.preferredBlockSizeBytes()
              + " which is greater than the target file's preferred block size "
              + file.preferredBlockSizeBytes());
    }
  }
}
