package io.acaciafs.systemtests.harness;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.fs.permission.AclEntry;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.HdfsConstants;

/** Directories and files with something of all that HDFS keeps of them. */
public final class VariedTree {
  /** Small, so that files have several. */
  public static final int BLOCK_SIZE = 1024;

  private static final int WRITERS = 8;
  private static final int FILES_IN_DIRECTORY = 50;

  /** Names in the order of HDFS, which is one of signed bytes. */
  private static final List<String> NAMES =
      List.of("\u00e9t\u00e9", "a b", "Z", "\u65e5\u672c", "~");

  private final DistributedFileSystem fs;
  private final int files;
  private final Map<Path, Content> contents = new LinkedHashMap<>();

  /**
   * @param files how many there are to be
   */
  public VariedTree(DistributedFileSystem fs, int files) {
    this.fs = fs;
    this.files = files;
  }

  /** Makes it. */
  public void make() throws Exception {
    List<Path> directories = directories();
    setPolicies(directories);
    List<Callable<Void>> tasks = new ArrayList<>();
    for (int i = 0; i < files; i++) {
      int number = i;
      Path file = new Path(directories.get(i % directories.size()), name(i));
      Content content = new Content(i, i % 10 == 0 ? i % (3 * BLOCK_SIZE + 1) : 0);
      contents.put(file, content);
      tasks.add(
          () -> {
            makeFile(file, content, number);
            return null;
          });
    }
    inParallel(tasks);
    for (int i = 0; i < directories.size(); i++) {
      vary(directories.get(i), i);
    }
  }

  private static String name(int number) {
    return NAMES.get(number % NAMES.size()) + number;
  }

  private List<Path> directories() throws IOException {
    Random random = new Random(5);
    List<Path> directories = new ArrayList<>();
    directories.add(new Path("/tree"));
    while (directories.size() < files / FILES_IN_DIRECTORY + 10) {
      Path parent = directories.get(random.nextInt(directories.size()));
      directories.add(new Path(parent, "d" + name(directories.size())));
    }
    for (Path directory : directories) {
      fs.mkdirs(directory);
    }
    return directories;
  }

  private static void inParallel(List<Callable<Void>> tasks) throws Exception {
    ExecutorService pool = Executors.newFixedThreadPool(WRITERS);
    try {
      for (Future<Void> done : pool.invokeAll(tasks)) {
        done.get();
      }
    } finally {
      pool.shutdownNow();
    }
  }

  private void makeFile(Path file, Content content, int number) throws IOException {
    short replication = (short) (1 + number % 3);
    try (FSDataOutputStream out = fs.create(file, true, 4096, replication, BLOCK_SIZE)) {
      out.write(content.bytes());
    }
    switch (number % 11) {
      case 1 -> fs.setPermission(file, new FsPermission((short) (number % 0777)));
      case 2 -> fs.setOwner(file, "user" + number % 7, "group" + number % 5);
      case 3 -> fs.modifyAclEntries(file, acl("user:eve:r--,group:ops:rw-"));
      case 4 -> fs.setXAttr(file, "user.number", Integer.toString(number).getBytes());
      case 5 -> fs.setXAttr(file, "trusted.nothing", new byte[0]);
      case 6 -> fs.setStoragePolicy(file, "COLD");
      case 7 -> fs.setTimes(file, 1_000_000_000_000L + number, 1_100_000_000_000L + number);
      case 8 -> fs.setTimes(file, 2000 + number, 1000);
      default -> {}
    }
  }

  private static List<AclEntry> acl(String spec) {
    return AclEntry.parseAclSpec(spec, true);
  }

  /**
   * Before there are files: when the policy of a directory changes, Hadoop's NameNode counts what
   * is below by types of storage anew only when it starts again.
   */
  private void setPolicies(List<Path> directories) throws IOException {
    for (int number = 7; number < directories.size(); number += 9) {
      fs.setStoragePolicy(directories.get(number), number % 2 == 0 ? "ALL_SSD" : "WARM");
    }
  }

  private void vary(Path directory, int number) throws IOException {
    switch (number % 9) {
      case 1 -> fs.setPermission(directory, new FsPermission((short) 01777));
      case 2 -> fs.setOwner(directory, "owner" + number % 3, "staff");
      case 3 ->
          fs.modifyAclEntries(
              directory, acl("user:bob:rwx,default:user:ann:r-x,default:mask::r-x"));
      case 4 -> fs.setXAttr(directory, "user.label", new byte[] {1, 2, 3});
      case 5 -> fs.setQuota(directory, 1_000_000, 1L << 40);
      case 6 -> {
        // Without one of names Hadoop's NameNode takes it for the largest number when it restarts.
        fs.setQuota(directory, 2_000_000, HdfsConstants.QUOTA_DONT_SET);
        fs.setQuotaByStorageType(directory, StorageType.SSD, 1L << 41);
      }
      case 8 -> fs.setTimes(directory, 5_000_000L + number, -1);
      default -> {}
    }
  }

  /** Reads every file that has bytes. */
  public void checkContents(DistributedFileSystem client) throws IOException {
    for (Map.Entry<Path, Content> entry : contents.entrySet()) {
      if (entry.getValue().lengthBytes() > 0) {
        assertThat(Content.read(client, entry.getKey()))
            .as(entry.getKey().toString())
            .isEqualTo(entry.getValue().bytes());
      }
    }
  }
}
