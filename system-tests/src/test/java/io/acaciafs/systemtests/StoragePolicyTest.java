package io.acaciafs.systemtests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.acaciafs.systemtests.harness.Await;
import io.acaciafs.systemtests.harness.Cluster;
import io.acaciafs.systemtests.harness.Content;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hadoop.fs.BlockLocation;
import org.apache.hadoop.fs.BlockStoragePolicySpi;
import org.apache.hadoop.fs.CreateFlag;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.QuotaUsage;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DFSTestUtil;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.QuotaByStorageTypeExceededException;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.ipc.RemoteException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Where blocks go, on real DataNodes with a disk, an SSD and an archive each. */
@Timeout(120)
class StoragePolicyTest {
  private static final int LENGTH_BYTES = 10_000;
  private static final long BLOCK_SIZE = 1 << 20;
  private static final Duration REPAIR_LIMIT = Duration.ofSeconds(60);

  private static Cluster cluster;
  private static DistributedFileSystem fs;

  @BeforeAll
  static void start() throws Exception {
    cluster =
        Cluster.builder("storage-policy")
            .dataNodes(3)
            .storageTypes(StorageType.DISK, StorageType.SSD, StorageType.ARCHIVE)
            .set("dfs.replication", 3)
            .set("dfs.blocksize", BLOCK_SIZE)
            .set("dfs.namenode.redundancy.interval.seconds", 1)
            .start();
    fs = cluster.fileSystem();
  }

  @AfterAll
  static void stop() throws Exception {
    cluster.close();
  }

  private static Path directory(String name, String policy) throws IOException {
    Path directory = new Path("/" + name);
    fs.mkdirs(directory);
    if (policy != null) {
      fs.setStoragePolicy(directory, policy);
    }
    return directory;
  }

  private static Path file(Path directory) throws Exception {
    Path file = new Path(directory, "file");
    new Content(3, LENGTH_BYTES).write(fs, file);
    DFSTestUtil.waitReplication(fs, file, (short) 3);
    return file;
  }

  /** Types of the storages of a file's first block, in alphabetic order. */
  private static String types(Path file) throws IOException {
    BlockLocation block = fs.getFileBlockLocations(file, 0, 1)[0];
    return Stream.of(block.getStorageTypes())
        .map(StorageType::name)
        .sorted()
        .collect(Collectors.joining(" "));
  }

  @Test
  void blocksGoWhereThePolicySays() throws Exception {
    assertThat(types(file(directory("none", null)))).isEqualTo("DISK DISK DISK");
    assertThat(types(file(directory("hot", "HOT")))).isEqualTo("DISK DISK DISK");
    assertThat(types(file(directory("warm", "WARM")))).isEqualTo("ARCHIVE ARCHIVE DISK");
    assertThat(types(file(directory("cold", "COLD")))).isEqualTo("ARCHIVE ARCHIVE ARCHIVE");
    assertThat(types(file(directory("one-ssd", "ONE_SSD")))).isEqualTo("DISK DISK SSD");
    assertThat(types(file(directory("all-ssd", "ALL_SSD")))).isEqualTo("SSD SSD SSD");
    assertThat(types(file(directory("lazy", "LAZY_PERSIST")))).isEqualTo("DISK DISK DISK");
    assertThat(types(file(directory("nvdimm", "ALL_NVDIMM")))).isEqualTo("DISK DISK DISK");
  }

  @Test
  void policyIsInheritedFromTheNearestDirectoryThatHasOne() throws Exception {
    directory("inherit", "COLD");
    Path below = directory("inherit/below", null);
    assertThat(fs.getStoragePolicy(below).getName()).isEqualTo("COLD");
    assertThat(types(file(below))).isEqualTo("ARCHIVE ARCHIVE ARCHIVE");
    fs.setStoragePolicy(below, "ALL_SSD");
    Path other = new Path(below, "other");
    new Content(4, LENGTH_BYTES).write(fs, other);
    assertThat(types(other)).contains("SSD").doesNotContain("ARCHIVE");
    fs.unsetStoragePolicy(below);
    assertThat(fs.getStoragePolicy(other).getName()).isEqualTo("COLD");
    assertThat(types(other)).as("what is there does not move").contains("SSD");
  }

  @Test
  void fileMayBeCreatedWithAPolicyOfItsOwn() throws Exception {
    Path file = new Path("/own-policy");
    try (FSDataOutputStream out =
        fs.createFile(file).storagePolicyName("ALL_SSD").replication((short) 2).build()) {
      out.write(1);
    }
    assertThat(fs.getStoragePolicy(file).getName()).isEqualTo("ALL_SSD");
    assertThat(types(file)).startsWith("SSD");
    Path lazy = new Path("/lazy-flag");
    fs.create(
            lazy,
            FsPermission.getFileDefault(),
            EnumSet.of(CreateFlag.CREATE, CreateFlag.LAZY_PERSIST),
            4096,
            (short) 1,
            BLOCK_SIZE,
            null)
        .close();
    assertThat(fs.getStoragePolicy(lazy).getName()).isEqualTo("LAZY_PERSIST");
  }

  @Test
  void copiesFollowThePolicyOfTheirTime() throws Exception {
    Path file = new Path(directory("copies", null), "file");
    try (FSDataOutputStream out = fs.create(file, (short) 1)) {
      out.write(1);
    }
    assertThat(types(file)).isEqualTo("DISK");
    fs.setStoragePolicy(file.getParent(), "COLD");
    fs.setReplication(file, (short) 3);
    awaitTypes(file, "ARCHIVE ARCHIVE DISK");
  }

  @Test
  void surplusIsTakenFromTypesThatThePolicyDoesNotWant() throws Exception {
    Path file = file(directory("surplus", "WARM"));
    fs.setStoragePolicy(file.getParent(), "COLD");
    fs.setReplication(file, (short) 2);
    awaitTypes(file, "ARCHIVE ARCHIVE");
  }

  private static void awaitTypes(Path file, String types) throws Exception {
    Await.until("replicas on " + types, REPAIR_LIMIT, () -> types(file).equals(types));
  }

  @Test
  void quotasOfTypesCountWhatThePolicyUses() throws Exception {
    Path directory = directory("quota", "ONE_SSD");
    fs.setQuotaByStorageType(directory, StorageType.SSD, 3 * BLOCK_SIZE);
    file(directory);
    QuotaUsage used = fs.getQuotaUsage(directory);
    assertThat(used.getTypeConsumed(StorageType.SSD)).isEqualTo(LENGTH_BYTES);
    assertThat(used.getTypeConsumed(StorageType.DISK)).isEqualTo(2 * LENGTH_BYTES);
    assertThat(used.getTypeConsumed(StorageType.ARCHIVE)).isZero();
    assertThat(used.getTypeQuota(StorageType.SSD)).isEqualTo(3 * BLOCK_SIZE);

    fs.setQuotaByStorageType(directory, StorageType.SSD, BLOCK_SIZE);
    Path refused = new Path(directory, "refused");
    assertThatThrownBy(() -> new Content(5, LENGTH_BYTES).write(fs, refused))
        .isInstanceOf(QuotaByStorageTypeExceededException.class)
        .hasMessageContaining("Quota by storage type : SSD on path : /quota is exceeded");

    fs.delete(refused, false);
    fs.delete(new Path(directory, "file"), false);
    assertThat(fs.getQuotaUsage(directory).getTypeConsumed(StorageType.SSD)).isZero();
    new Content(5, LENGTH_BYTES).write(fs, refused);
  }

  @Test
  void changeOfPolicyMovesWhatCountsForAQuota() throws Exception {
    Path quota = directory("quota-change", "ONE_SSD");
    fs.setQuotaByStorageType(quota, StorageType.SSD, 10 * BLOCK_SIZE);
    Path file = file(quota);
    assertThat(fs.getQuotaUsage(quota).getTypeConsumed(StorageType.SSD)).isEqualTo(LENGTH_BYTES);
    fs.setReplication(file, (short) 2);
    assertThat(fs.getQuotaUsage(quota).getTypeConsumed(StorageType.DISK)).isEqualTo(LENGTH_BYTES);
    assertThat(fs.getContentSummary(quota).getTypeConsumed(StorageType.SSD))
        .isEqualTo(LENGTH_BYTES);
  }

  @Test
  void favoredNodesAreUsed() throws Exception {
    List<DataNode> dataNodes = cluster.dataNodes();
    for (DataNode favored : dataNodes) {
      Path file = new Path("/favored-" + favored.getXferPort());
      try (FSDataOutputStream out =
          fs.create(
              file,
              FsPermission.getFileDefault(),
              true,
              4096,
              (short) 1,
              BLOCK_SIZE,
              null,
              new InetSocketAddress[] {favored.getXferAddress()})) {
        out.write(1);
      }
      assertThat(fs.getFileBlockLocations(file, 0, 1)[0].getNames())
          .containsExactly("127.0.0.1:" + favored.getXferPort());
    }
  }

  @Test
  void unknownPoliciesAreRefused() throws Exception {
    assertThatThrownBy(() -> fs.setStoragePolicy(new Path("/"), "LUKEWARM"))
        .isInstanceOf(RemoteException.class)
        .hasMessageContaining("Cannot find a block policy with the name LUKEWARM");
    List<String> names =
        fs.getAllStoragePolicies().stream().map(BlockStoragePolicySpi::getName).sorted().toList();
    assertThat(names)
        .containsExactly(
            "ALL_NVDIMM", "ALL_SSD", "COLD", "HOT", "LAZY_PERSIST", "ONE_SSD", "PROVIDED", "WARM");
  }
}
