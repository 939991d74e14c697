package io.acaciafs.systemtests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.acaciafs.systemtests.harness.AcaciaCommand;
import io.acaciafs.systemtests.harness.Cluster;
import io.acaciafs.systemtests.harness.Content;
import io.acaciafs.systemtests.harness.NameNodeProgram;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.conf.Configured;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FsShell;
import org.apache.hadoop.fs.PartialListing;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.tools.DFSAdmin;
import org.apache.hadoop.hdfs.tools.StoragePolicyAdmin;
import org.apache.hadoop.util.Tool;
import org.apache.hadoop.util.ToolRunner;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Hadoop's own commands about the attributes of files and directories. */
class ShellTest {
  private static Cluster cluster;

  @BeforeAll
  static void start() throws Exception {
    cluster =
        Cluster.builder("shell")
            .set("fs.trash.interval", 10)
            .set("acacia.directory.split.threshold", 20)
            .start();
  }

  @AfterAll
  static void stop() throws Exception {
    cluster.close();
  }

  private record Result(int exitCode, String output) {}

  /** Tools print to the JVM's own streams. */
  private static <T extends Configured & Tool> Result run(T tool, String... arguments)
      throws Exception {
    PrintStream out = System.out;
    PrintStream err = System.err;
    ByteArrayOutputStream captured = new ByteArrayOutputStream();
    try (PrintStream stream = new PrintStream(captured, true, StandardCharsets.UTF_8)) {
      System.setOut(stream);
      System.setErr(stream);
      int exitCode = ToolRunner.run(conf(), tool, arguments);
      return new Result(exitCode, captured.toString(StandardCharsets.UTF_8));
    } finally {
      System.setOut(out);
      System.setErr(err);
    }
  }

  private static Configuration conf() {
    return cluster.clientConfiguration();
  }

  private static String fs(String... arguments) throws Exception {
    return succeed(run(new FsShell(), arguments), arguments);
  }

  private static String dfsadmin(String... arguments) throws Exception {
    return succeed(run(new DFSAdmin(), arguments), arguments);
  }

  private static String storagePolicies(String... arguments) throws Exception {
    return succeed(run(new StoragePolicyAdmin(conf()), arguments), arguments);
  }

  private static String succeed(Result result, String... arguments) {
    assertThat(result.exitCode())
        .as("exit code of %s: %s", List.of(arguments), result.output())
        .isZero();
    return result.output();
  }

  private static void write(String path) throws Exception {
    new Content(1, 1000).write(cluster.fileSystem(), new Path(path));
  }

  @Test
  void setsAndShowsAcls() throws Exception {
    fs("-mkdir", "-p", "/acl");
    fs("-setfacl", "-m", "user:bob:r-x,default:user:bob:rwx", "/acl");
    assertThat(fs("-getfacl", "/acl").lines())
        .contains("user:bob:r-x", "mask::r-x", "default:user:bob:rwx", "default:mask::rwx");
    assertThat(fs("-ls", "/")).contains("drwxr-xr-x+");
    write("/acl/file");
    assertThat(fs("-getfacl", "/acl/file")).contains("user:bob:rwx");
    fs("-setfacl", "-x", "default:user:bob", "/acl");
    fs("-setfacl", "-k", "/acl");
    assertThat(fs("-getfacl", "/acl")).contains("user:bob:r-x").doesNotContain("default");
    fs("-setfacl", "-b", "/acl");
    assertThat(fs("-getfacl", "/acl")).doesNotContain("bob");
  }

  @Test
  void setsAndShowsExtendedAttributes() throws Exception {
    write("/xattr");
    fs("-setfattr", "-n", "user.color", "-v", "blue", "/xattr");
    fs("-setfattr", "-n", "user.empty", "/xattr");
    cluster.restartNameNode();
    cluster.awaitDataNodes();
    assertThat(fs("-getfattr", "-d", "/xattr").lines())
        .contains("user.color=\"blue\"", "user.empty");
    assertThat(fs("-getfattr", "-n", "user.color", "/xattr")).contains("user.color=\"blue\"");
    fs("-setfattr", "-x", "user.color", "/xattr");
    assertThat(fs("-getfattr", "-d", "/xattr")).doesNotContain("color");
    assertThat(run(new FsShell(), "-getfattr", "-n", "user.color", "/xattr").exitCode())
        .isNotZero();
  }

  @Test
  void copiesWithAllAttributes() throws Exception {
    write("/copy/from");
    fs("-setfattr", "-n", "user.color", "-v", "red", "/copy/from");
    fs("-setfacl", "-m", "user:bob:rwx", "/copy/from");
    fs("-chmod", "1640", "/copy/from");
    fs("-cp", "-ptopax", "/copy/from", "/copy/to");
    FileStatus from = cluster.fileSystem().getFileStatus(new Path("/copy/from"));
    FileStatus to = cluster.fileSystem().getFileStatus(new Path("/copy/to"));
    assertThat(to.getPermission()).isEqualTo(from.getPermission());
    assertThat(to.getModificationTime()).isEqualTo(from.getModificationTime());
    assertThat(to.hasAcl()).isTrue();
    assertThat(fs("-getfacl", "/copy/to")).contains("user:bob:rwx");
    assertThat(fs("-getfattr", "-d", "/copy/to")).contains("user.color=\"red\"");
  }

  @Test
  void setsAndShowsStoragePolicies() throws Exception {
    fs("-mkdir", "-p", "/policy/below");
    assertThat(storagePolicies("-listPolicies")).contains("COLD", "ALL_SSD", "LAZY_PERSIST");
    storagePolicies("-setStoragePolicy", "-path", "/policy", "-policy", "WARM");
    assertThat(storagePolicies("-getStoragePolicy", "-path", "/policy/below")).contains("WARM");
    storagePolicies("-unsetStoragePolicy", "-path", "/policy");
    assertThat(storagePolicies("-getStoragePolicy", "-path", "/policy")).contains("unspecified");
  }

  @Test
  void setsAndEnforcesQuotas() throws Exception {
    fs("-mkdir", "-p", "/quota");
    dfsadmin("-setQuota", "3", "/quota");
    dfsadmin("-setSpaceQuota", "1g", "/quota");
    write("/quota/a");
    assertThat(fs("-count", "-q", "/quota").trim().split("\\s+"))
        .startsWith("3", "1", "1073741824", "1073740824", "1", "1", "1000");
    fs("-touchz", "/quota/b");
    Result refused = run(new FsShell(), "-touchz", "/quota/c");
    assertThat(refused.exitCode()).isNotZero();
    assertThat(refused.output())
        .contains("The NameSpace quota (directories and files) of directory /quota is exceeded");
    cluster.restartNameNode();
    cluster.awaitDataNodes();
    fs("-rm", "-skipTrash", "/quota/a");
    fs("-touchz", "/quota/c");
    dfsadmin("-clrQuota", "/quota");
    fs("-touchz", "/quota/d");
    dfsadmin("-setSpaceQuota", "1k", "/quota");
    assertThat(fs("-count", "-q", "-u", "/quota")).contains("1024");
    assertThatThrownBy(() -> write("/quota/e"))
        .hasMessageContaining("The DiskSpace quota of /quota is exceeded");
  }

  @Test
  void movesToTheTrashAndEmptiesIt() throws Exception {
    write("/trash/file");
    fs("-rm", "-r", "/trash");
    String trash = cluster.fileSystem().getTrashRoot(new Path("/trash")) + "/Current/trash/file";
    assertThat(cluster.fileSystem().exists(new Path(trash))).isTrue();
    fs("-expunge", "-immediate");
    assertThat(cluster.fileSystem().exists(new Path(trash))).isFalse();
  }

  /** Our own attribute, and what no client sees of it. */
  @Test
  void spreadsADirectoryOverBuckets() throws Exception {
    assumeTrue(NameNodeProgram.underTest() == NameNodeProgram.ACACIA, "Hadoop's has no buckets");
    fs("-mkdir", "/spread");
    fs("-setfattr", "-n", "user.acacia.buckets", "-v", "6", "/spread");
    assertThat(fs("-getfattr", "-d", "/spread")).contains("user.acacia.buckets=\"8\"");
    fs(touch("/spread", 120));
    fs("-mkdir", "/grown");
    fs(touch("/grown", 120));
    assertThat(namesIn("/spread")).hasSize(120).isSorted();
    assertThat(namesIn("/grown")).isEqualTo(namesIn("/spread"));
    assertThat(fs("-count", "/spread", "/grown").lines().map(line -> line.trim().split("\\s+")[1]))
        .containsExactly("120", "120");

    Result refused =
        run(new FsShell(), "-setfattr", "-n", "user.acacia.buckets", "-v", "2", "/spread");
    assertThat(refused.exitCode()).isNotZero();
    assertThat(refused.output()).contains("only while a directory is empty");
    refused = run(new FsShell(), "-setfattr", "-n", "user.acacia.buckets", "-v", "lots", "/grown");
    assertThat(refused.exitCode()).isNotZero();
    assertThat(refused.output()).contains("from 1 to 1024");
    assertThat(run(new FsShell(), "-rmdir", "/spread").output()).contains("Directory is not empty");

    fs("-rm", "-r", "-skipTrash", "/spread", "/grown");
    assertThat(run(new FsShell(), "-ls", "/spread").output()).contains("No such file");
  }

  private static String[] touch(String directory, int files) {
    return Stream.concat(
            Stream.of("-touchz"),
            IntStream.range(1000, 1000 + files).mapToObj(i -> directory + "/f" + i))
        .toArray(String[]::new);
  }

  private static List<String> namesIn(String directory) throws Exception {
    return Arrays.stream(cluster.fileSystem().listStatus(new Path(directory)))
        .map(status -> status.getPath().getName())
        .toList();
  }

  @Test
  void makesADirectoryOfManyBuckets(@TempDir java.nio.file.Path folder) throws Exception {
    assumeTrue(NameNodeProgram.underTest() == NameNodeProgram.ACACIA, "Hadoop's has no buckets");
    String address = "fs.defaultFS=" + conf().get("fs.defaultFS");
    try (AcaciaCommand command =
        AcaciaCommand.start(
            folder.resolve("log"),
            List.of(),
            "mkdir",
            "-D",
            address,
            "-p",
            "-buckets",
            "16",
            "/m/n")) {
      assertThat(command.awaitExit(Duration.ofSeconds(60))).as(command.output()).isZero();
    }
    assertThat(fs("-getfattr", "-d", "/m/n")).contains("user.acacia.buckets=\"16\"");
  }

  @Test
  void listsOpenFiles() throws Exception {
    Path open = new Path("/open/file");
    try (AutoCloseable file = cluster.fileSystem().create(open)) {
      assertThat(file).isNotNull();
      assertThat(dfsadmin("-listOpenFiles", "-path", "/open")).contains("/open/file");
    }
    assertThat(dfsadmin("-listOpenFiles", "-path", "/open")).doesNotContain("/open/file");
  }

  @Test
  void listsManyDirectoriesAtOnce() throws Exception {
    DistributedFileSystem fileSystem = cluster.fileSystem();
    for (int i = 0; i < 3; i++) {
      write("/batch/" + i + "/file-" + i);
    }
    RemoteIterator<PartialListing<FileStatus>> listings =
        fileSystem.batchedListStatusIterator(
            List.of(new Path("/batch/0"), new Path("/batch/1"), new Path("/batch/2")));
    StringBuilder names = new StringBuilder();
    while (listings.hasNext()) {
      for (FileStatus status : listings.next().get()) {
        names.append(status.getPath().getName()).append(' ');
      }
    }
    assertThat(names.toString()).isEqualTo("file-0 file-1 file-2 ");
  }
}
