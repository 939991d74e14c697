package io.acaciafs.namenode;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.net.URI;
import java.security.PrivilegedExceptionAction;
import java.util.Arrays;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.security.AccessControlException;
import org.apache.hadoop.security.UserGroupInformation;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Whatever is asked again and again is true each time, while directories and files come, go, move
 * and change their rights: two levels of few names, with what is there kept beside it.
 */
@Timeout(300)
class ReusedRepliesTest {
  private static final long SEED = Long.getLong("acacia.seed", 20261121);
  private static final int STEPS = Integer.getInteger("acacia.reply-steps", 500);
  private static final int NAMES = 3;

  @TempDir private File folder;

  private final Random random = new Random(SEED);

  /** Directories below the root with their modes, and the entries of each with theirs. */
  private final Map<String, Map<String, Short>> entries = new TreeMap<>();

  private final Map<String, Short> modes = new TreeMap<>();

  private NameNode nameNode;
  private DistributedFileSystem owner;
  private DistributedFileSystem stranger;

  @BeforeEach
  void start() throws Exception {
    Configuration conf = new HdfsConfiguration();
    conf.set("dfs.namenode.name.dir", folder.toString());
    conf.set("fs.defaultFS", "hdfs://127.0.0.1:0");
    conf.set("dfs.namenode.rpc-address", "127.0.0.1:0");
    conf.set("dfs.namenode.http-address", "127.0.0.1:0");
    NameNode.format(conf, "CID-test", false);
    nameNode = NameNode.start(conf);
    owner = client(UserGroupInformation.getCurrentUser());
    stranger = client(UserGroupInformation.createUserForTesting("stranger", new String[] {"none"}));
  }

  private DistributedFileSystem client(UserGroupInformation user) throws Exception {
    String uri = "hdfs://127.0.0.1:" + nameNode.rpcAddress().getPort();
    return user.doAs(
        (PrivilegedExceptionAction<DistributedFileSystem>)
            () ->
                (DistributedFileSystem)
                    FileSystem.newInstance(URI.create(uri), new HdfsConfiguration()));
  }

  @AfterEach
  void stop() throws IOException {
    owner.close();
    stranger.close();
    nameNode.close();
  }

  @Test
  void areTrueEachTime() throws IOException {
    for (int step = 0; step < STEPS; step++) {
      String directory = "d" + random.nextInt(NAMES);
      String name = "f" + random.nextInt(NAMES);
      if (random.nextInt(4) == 0) {
        changeDirectory(directory);
      } else {
        changeEntry(directory, name);
      }
      for (int i = 0; i < 3; i++) { // from the third time on a reply may be an old one
        for (int d = 0; d < NAMES; d++) {
          assertListing(step, "d" + d);
          assertStatus(step, "d" + d, name);
        }
      }
    }
  }

  private void changeDirectory(String directory) throws IOException {
    Path path = new Path("/" + directory);
    String other = "d" + random.nextInt(NAMES);
    if (!entries.containsKey(directory)) {
      owner.mkdirs(path);
      setMode(path, (short) 0755);
      entries.put(directory, new TreeMap<>());
      modes.put(directory, (short) 0755);
    } else if (random.nextInt(3) == 0 && !entries.containsKey(other)) {
      assertThat(owner.rename(path, new Path("/" + other))).isTrue();
      entries.put(other, entries.remove(directory));
      modes.put(other, modes.remove(directory));
    } else if (random.nextBoolean()) {
      short mode = random.nextBoolean() ? (short) 0755 : (short) 0700;
      setMode(path, mode);
      modes.put(directory, mode);
    } else {
      assertThat(owner.delete(path, true)).isTrue();
      entries.remove(directory);
      modes.remove(directory);
    }
  }

  private void changeEntry(String directory, String name) throws IOException {
    Map<String, Short> there = entries.get(directory);
    if (there == null) {
      return;
    }
    Path path = path(directory, name);
    String other = "f" + random.nextInt(NAMES);
    if (!there.containsKey(name)) {
      owner.create(path).close();
      setMode(path, (short) 0600);
      there.put(name, (short) 0600);
    } else if (random.nextInt(3) == 0 && !there.containsKey(other)) {
      assertThat(owner.rename(path, path(directory, other))).isTrue();
      there.put(other, there.remove(name));
    } else if (random.nextBoolean()) {
      short mode = (short) random.nextInt(01000);
      setMode(path, mode);
      there.put(name, mode);
    } else {
      assertThat(owner.delete(path, false)).isTrue();
      there.remove(name);
    }
  }

  private void setMode(Path path, short mode) throws IOException {
    owner.setPermission(path, new FsPermission(mode));
  }

  private static Path path(String directory, String name) {
    return new Path("/" + directory + "/" + name);
  }

  private void assertListing(int step, String directory) throws IOException {
    Map<String, Short> there = entries.get(directory);
    assertThat(listing(owner, directory)).as("step %s of %s", step, SEED).isEqualTo(there);
    if (there == null || modes.get(directory) == 0755) {
      assertThat(listing(stranger, directory)).as("step %s of %s", step, SEED).isEqualTo(there);
    } else {
      assertThat(isDenied(() -> listing(stranger, directory))).isTrue();
    }
  }

  private void assertStatus(int step, String directory, String name) throws IOException {
    Map<String, Short> there = entries.get(directory);
    Short mode = there == null ? null : there.get(name);
    assertThat(mode(owner, directory, name)).as("step %s of %s", step, SEED).isEqualTo(mode);
    if (there == null || modes.get(directory) == 0755) {
      assertThat(mode(stranger, directory, name)).as("step %s of %s", step, SEED).isEqualTo(mode);
    } else {
      assertThat(isDenied(() -> mode(stranger, directory, name))).isTrue();
    }
  }

  /** Null where there is no such directory. */
  private static Map<String, Short> listing(DistributedFileSystem client, String directory)
      throws IOException {
    try {
      return Arrays.stream(client.listStatus(new Path("/" + directory)))
          .collect(
              Collectors.toMap(
                  status -> status.getPath().getName(),
                  status -> status.getPermission().toShort()));
    } catch (FileNotFoundException e) {
      return null;
    }
  }

  /** Null where there is no such file. */
  private static Short mode(DistributedFileSystem client, String directory, String name)
      throws IOException {
    try {
      FileStatus status = client.getFileStatus(path(directory, name));
      return status.getPermission().toShort();
    } catch (FileNotFoundException e) {
      return null;
    }
  }

  /** A question to the file system. */
  @FunctionalInterface
  private interface Question {
    Object ask() throws IOException;
  }

  private static boolean isDenied(Question question) throws IOException {
    try {
      question.ask();
      return false;
    } catch (AccessControlException e) {
      return true;
    }
  }
}
