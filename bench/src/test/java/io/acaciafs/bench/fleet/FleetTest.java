package io.acaciafs.bench.fleet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.acaciafs.bench.Bench;
import io.acaciafs.bench.BenchSettings;
import io.acaciafs.bench.Steps;
import io.acaciafs.bench.client.Shape;
import io.acaciafs.bench.fleet.FleetCounts.Kind;
import io.acaciafs.bench.workload.Sizes;
import io.acaciafs.namenode.NameNode;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.protocol.HdfsConstants.DatanodeReportType;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Simulated DataNodes say what a NameNode expects of real ones. */
class FleetTest {
  private static final int DATANODES = 20;
  private static final int FILES = 30;
  private static final Duration LIMIT = Duration.ofSeconds(60);

  @TempDir private java.nio.file.Path folder;

  private NameNode nameNode;
  private Fleet fleet;

  @BeforeEach
  void start() throws Exception {
    NameNode.format(conf(0), "CID-fleet", false);
    nameNode = NameNode.start(conf(0));
    fleet =
        Fleet.start(
            new Fleet.Plan(DATANODES, "dn-", "datanodes", Duration.ofMillis(200), 2),
            List.of(address()),
            Holdings.NONE);
    await(Kind.REGISTRATIONS, 0, DATANODES);
    await(Kind.HEARTBEATS, 0, DATANODES);
  }

  @AfterEach
  void end() throws Exception {
    fleet.close();
    nameNode.close();
  }

  private Configuration conf(int port) {
    Configuration conf = new HdfsConfiguration();
    conf.set("fs.defaultFS", "hdfs://127.0.0.1:" + port);
    conf.set("dfs.namenode.http-address", "127.0.0.1:0");
    conf.set("dfs.namenode.name.dir", folder.toUri().toString());
    return conf;
  }

  private InetSocketAddress address() {
    return new InetSocketAddress(InetAddress.getLoopbackAddress(), nameNode.rpcAddress().getPort());
  }

  private DistributedFileSystem connect() throws Exception {
    URI uri = URI.create("hdfs://127.0.0.1:" + nameNode.rpcAddress().getPort());
    return (DistributedFileSystem) FileSystem.newInstance(uri, new HdfsConfiguration());
  }

  private void await(Kind kind, long before, long more) throws Exception {
    fleet.await(kind, before, more, LIMIT);
  }

  /** Files with a block on three of them. */
  private void writeFiles() throws Exception {
    BenchSettings settings =
        new BenchSettings(
            new BenchSettings.Target(address(), List.of(), "/files"),
            new Shape(1, 4),
            1,
            new BenchSettings.Times(Duration.ZERO, Duration.ofSeconds(1)),
            new Sizes(1, 1, FILES, 1, 1),
            0,
            true);
    new Bench(settings, "run", fleet, Steps.silent()).prepareReads();
  }

  private int replicas() throws Exception {
    int replicas = 0;
    try (DistributedFileSystem fs = connect()) {
      RemoteIterator<LocatedFileStatus> files = fs.listFiles(new Path("/files"), true);
      while (files.hasNext()) {
        LocatedFileStatus file = files.next();
        if (file.getLen() > 0) {
          replicas += file.getBlockLocations()[0].getNames().length;
        }
      }
    }
    return replicas;
  }

  @Test
  void moreConnectionsThanAProcessMayHaveAreRefused() {
    Fleet.Plan many = new Fleet.Plan(Integer.MAX_VALUE, "many-", "user", Duration.ofSeconds(3), 1);
    assertThatThrownBy(
            () -> Fleet.start(many, List.of(new InetSocketAddress("127.0.0.1", 1)), Holdings.NONE))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("2,147,483,647 connections and 300 other files are more than")
        .hasMessageContaining("ulimit -n");
  }

  @Test
  void clientsWriteFilesToThem() throws Exception {
    writeFiles();
    assertThat(replicas()).isEqualTo(3 * FILES);
    try (DistributedFileSystem fs = connect()) {
      assertThat(fs.getDataNodeStats()).hasSize(DATANODES);
    }
  }

  @Test
  void fullReportsSayWhatTheNameNodeKnows() throws Exception {
    writeFiles();
    fleet.wantFullReports(true);
    await(Kind.FULL_REPORTS, 0, DATANODES);
    assertThat(fleet.counts().of(Kind.FULL_REPORT_REPLICAS)).isEqualTo(3 * FILES);
    assertThat(replicas()).isEqualTo(3 * FILES);
    assertThat(fleet.counts().of(Kind.BLOCK_COMMANDS)).isZero();
    assertThat(fleet.counts().failures()).isEmpty();
  }

  @Test
  void replicasThatGoAndComeAreThereInTheEnd() throws Exception {
    writeFiles();
    long before = fleet.counts().of(Kind.INCREMENTAL_REPLICAS);
    fleet.beginChurn(500, 2);
    await(Kind.INCREMENTAL_REPLICAS, before, 1000);
    fleet.endTurns();
    fleet.wantFullReports(true); // comes behind all reports of replicas
    await(Kind.FULL_REPORTS, 0, DATANODES);
    assertThat(replicas()).isEqualTo(3 * FILES);
  }

  @Test
  void newStoragesAreNamed() throws Exception {
    fleet.storages(4);
    await(Kind.HEARTBEATS, fleet.counts().of(Kind.HEARTBEATS), 3 * DATANODES);
    try (DistributedFileSystem fs = connect()) {
      assertThat(fs.getClient().getDatanodeStorageReport(DatanodeReportType.LIVE))
          .hasSize(DATANODES)
          .allSatisfy(each -> assertThat(each.getStorageReports()).hasSize(4));
    }
  }

  @Test
  void registerAndReportToANameNodeThatStartsAnew() throws Exception {
    writeFiles();
    int port = nameNode.rpcAddress().getPort();
    long registrations = fleet.counts().of(Kind.REGISTRATIONS);
    nameNode.close();
    fleet.restart(true);
    nameNode = NameNode.start(conf(port));
    await(Kind.REGISTRATIONS, registrations, DATANODES);
    await(Kind.FULL_REPORTS, 0, DATANODES);
    assertThat(replicas()).isEqualTo(3 * FILES);
  }
}
