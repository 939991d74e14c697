package io.acaciafs.systemtests.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.acaciafs.kv.hbase.HBaseStore;
import io.acaciafs.kv.hbase.client.HBaseOptions;
import io.acaciafs.namenode.check.CheckOptions;
import io.acaciafs.namenode.check.CheckReport;
import io.acaciafs.namenode.check.StoreCheck;
import io.acaciafs.namespace.settings.StoragePolicies;
import io.acaciafs.systemtests.harness.NameNodeProgram;
import io.acaciafs.systemtests.harness.SharedStore;
import io.acaciafs.systemtests.harness.Signals;
import io.acaciafs.systemtests.harness.Stacks;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.crypto.CryptoProtocolVersion;
import org.apache.hadoop.fs.CreateFlag;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.ClientProtocol;
import org.apache.hadoop.hdfs.protocol.HdfsConstants;
import org.apache.hadoop.io.EnumSetWritable;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hadoop.ipc.RetriableException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An HBase that does not answer: calls are answered all the same, and a NameNode ends. And what a
 * check asks of one that does.
 */
@Tag("long")
class DeadHBaseTest {
  private static final Logger LOG = LoggerFactory.getLogger(DeadHBaseTest.class);
  private static final int FILES = Integer.getInteger("acacia.check-files", 2_000);
  private static final int FILES_OF_A_DIRECTORY = 100;
  private static final int CREATORS = 32;

  /** Of a check: with one for each file it would not end. */
  private static final int FILES_FOR_A_REQUEST = 20;

  /** In the minute and a half without HBase; a background task has one each time. */
  private static final int MOST_WARNINGS = 30;

  private static final long LONGEST_CALL_S = 30;
  private static final long LONGEST_END_S = 20;

  @Test
  void callsAreAnsweredAndTheNameNodeEnds() throws Exception {
    assumeTrue(NameNodeProgram.underTest() == NameNodeProgram.ACACIA, "Hadoop's has no engines");
    try (SharedStore store = new SharedStore("dead", 1, Map.of());
        DistributedFileSystem client = (DistributedFileSystem) store.clientOf(0)) {
      ClientProtocol nameNode = client.getClient().getNamenode();
      makeFiles(nameNode);
      check(store);
      nameNode.setPermission("/d0", new FsPermission((short) 0755));

      long server = store.hbase().serverPids().get(0);
      Signals.stop(server);
      try {
        assertThatItIsToBeRepeated(nameNode, "stands still");
      } finally {
        Signals.resume(server);
      }
      nameNode.setPermission("/d0", new FsPermission((short) 0700));

      store.hbase().killServer(0);
      assertThatItIsToBeRepeated(nameNode, "is dead");
      long beganNs = System.nanoTime();
      store.nameNode(0).terminate();
      long tookS = TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - beganNs);
      LOG.info("The NameNode ended tookS={}", tookS);
      assertThat(store.nameNode(0).isAlive()).isFalse();
      assertThat(tookS).isLessThan(LONGEST_END_S);
      assertThatTheLogIsShort(store.nameNode(0).log());
    }
  }

  private static void assertThatItIsToBeRepeated(ClientProtocol nameNode, String state) {
    long beganNs = System.nanoTime();
    assertThatThrownBy(() -> nameNode.setPermission("/d0", new FsPermission((short) 0711)))
        .isInstanceOfSatisfying(
            RemoteException.class,
            e -> assertThat(e.getClassName()).isEqualTo(RetriableException.class.getName()));
    long tookS = TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - beganNs);
    LOG.info("Answered although the server {} tookS={}", state, tookS);
    assertThat(tookS).isLessThanOrEqualTo(LONGEST_CALL_S);
  }

  private static void assertThatTheLogIsShort(List<String> log) {
    assertThat(log).filteredOn(line -> line.contains(" WARN ")).hasSizeBetween(1, MOST_WARNINGS);
    assertThat(Stacks.in(log)).isEmpty();
  }

  private static void makeFiles(ClientProtocol nameNode) throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(CREATORS);
    try {
      List<Future<?>> made = new ArrayList<>();
      for (int i = 0; i < FILES; i++) {
        String path = "/d" + i / FILES_OF_A_DIRECTORY + "/f" + i;
        made.add(
            threads.submit(
                () -> {
                  nameNode.create(
                      path,
                      new FsPermission((short) 0644),
                      "client",
                      new EnumSetWritable<>(EnumSet.of(CreateFlag.CREATE)),
                      true,
                      (short) 1,
                      1 << 20,
                      CryptoProtocolVersion.supported(),
                      null,
                      null);
                  return nameNode.complete(
                      path, "client", null, HdfsConstants.GRANDFATHER_INODE_ID);
                }));
      }
      for (Future<?> each : made) {
        each.get(2, TimeUnit.MINUTES);
      }
    } finally {
      threads.shutdownNow();
    }
  }

  private static void check(SharedStore store) throws Exception {
    StringWriter text = new StringWriter();
    try (HBaseStore table = HBaseStore.open(HBaseOptions.of(store.hbase().zooKeeper()))) {
      long before = table.requests();
      long beganNs = System.nanoTime();
      StoreCheck.run(
          table,
          new StoragePolicies(HdfsConstants.StoragePolicy.HOT),
          new CheckOptions(false, 100, 0),
          new CheckReport(new PrintWriter(text)));
      LOG.info(
          "Checked files={} requests={} tookMs={}",
          FILES,
          table.requests() - before,
          TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - beganNs));
      assertThat(text.toString()).contains(CheckReport.HEALTHY);
      assertThat(table.requests() - before).isLessThan(200 + FILES / FILES_FOR_A_REQUEST);
    }
  }
}
