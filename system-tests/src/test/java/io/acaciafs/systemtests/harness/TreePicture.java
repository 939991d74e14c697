package io.acaciafs.systemtests.harness;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.StringJoiner;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.QuotaUsage;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.fs.permission.AclStatus;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlocks;

/** All that a client can learn of a namespace, a line an inode, to be compared. */
public final class TreePicture {
  private static final int THREADS = 8;

  private final DistributedFileSystem fs;
  private final List<FileStatus> inodes = new ArrayList<>();

  private TreePicture(DistributedFileSystem fs) {
    this.fs = fs;
  }

  /** In the order of a walk. */
  public static List<String> of(DistributedFileSystem fs) throws Exception {
    TreePicture picture = new TreePicture(fs);
    picture.inodes.add(fs.getFileStatus(new Path("/")));
    picture.walk(new Path("/"));
    List<Callable<String>> questions = new ArrayList<>();
    picture.inodes.forEach(inode -> questions.add(() -> picture.line(inode)));
    ExecutorService pool = Executors.newFixedThreadPool(THREADS);
    try {
      List<String> lines = new ArrayList<>();
      for (Future<String> line : pool.invokeAll(questions)) {
        lines.add(line.get());
      }
      return lines;
    } finally {
      pool.shutdownNow();
    }
  }

  /** Lines that only one of them has, with a sign in front. */
  public static List<String> differences(List<String> before, List<String> after) {
    List<String> differences = new ArrayList<>();
    Set<String> old = new HashSet<>(before);
    Set<String> now = new HashSet<>(after);
    before.stream()
        .filter(line -> !now.contains(line))
        .forEach(line -> differences.add("- " + line));
    after.stream()
        .filter(line -> !old.contains(line))
        .forEach(line -> differences.add("+ " + line));
    return differences;
  }

  private void walk(Path directory) throws IOException {
    for (FileStatus child : fs.listStatus(directory)) {
      inodes.add(child);
      if (child.isDirectory()) {
        walk(child.getPath());
      }
    }
  }

  private String line(FileStatus status) throws IOException {
    Path path = status.getPath();
    StringJoiner line = new StringJoiner(" ");
    line.add(path.toUri().getPath());
    line.add("id=" + ((HdfsFileStatus) status).getFileId());
    line.add(status.isDirectory() ? "directory" : "file");
    line.add(status.getOwner() + ":" + status.getGroup() + ":" + status.getPermission());
    line.add("sticky=" + status.getPermission().getStickyBit());
    line.add("mtime=" + status.getModificationTime() + " atime=" + status.getAccessTime());
    line.add("length=" + status.getLen() + " replication=" + status.getReplication());
    line.add("blockSize=" + status.getBlockSize());
    line.add("policy=" + fs.getStoragePolicy(path).getName());
    AclStatus acl = fs.getAclStatus(path);
    line.add("acl=" + acl.getEntries() + acl.getPermission());
    line.add("xattrs=" + xattrs(path));
    if (status.isDirectory()) {
      line.add(quota(path, fs.getQuotaUsage(path)));
    } else {
      line.add("closed=" + fs.isFileClosed(path));
      line.add(blocks(path));
    }
    return line.toString();
  }

  private Map<String, String> xattrs(Path path) throws IOException {
    Map<String, String> shown = new TreeMap<>();
    fs.getXAttrs(path).forEach((name, value) -> shown.put(name, HexFormat.of().formatHex(value)));
    return shown;
  }

  private static String quota(Path path, QuotaUsage usage) {
    StringJoiner text = new StringJoiner(",", "quota=", "");
    text.add(usage.getQuota() + "/" + usage.getFileAndDirectoryCount());
    text.add(usage.getSpaceQuota() + "/" + usage.getSpaceConsumed());
    boolean isLimited = usage.getQuota() >= 0 || usage.getSpaceQuota() >= 0;
    for (StorageType type : StorageType.getTypesSupportingQuota()) {
      // What nobody limits is summed up for the answer, and not by types everywhere.
      boolean isCounted = isLimited && !path.isRoot() || usage.isTypeQuotaSet();
      text.add(usage.getTypeQuota(type) + (isCounted ? "/" + usage.getTypeConsumed(type) : ""));
    }
    return text.toString();
  }

  private String blocks(Path path) throws IOException {
    LocatedBlocks located =
        fs.getClient().getLocatedBlocks(path.toUri().getPath(), 0, Long.MAX_VALUE);
    StringJoiner text = new StringJoiner(",", "blocks=[", "]");
    for (LocatedBlock block : located.getLocatedBlocks()) {
      String length = located.isUnderConstruction() ? "" : "/" + block.getBlockSize();
      text.add(block.getBlock().getBlockName() + length);
      text.add(block.getBlock().getBlockPoolId());
    }
    return text.toString();
  }
}
