package io.acaciafs.systemtests.malformed;

import static org.assertj.core.api.Assertions.assertThat;

import io.acaciafs.systemtests.harness.Cluster;
import io.acaciafs.systemtests.harness.RawRpc;
import io.acaciafs.systemtests.harness.SilentDatanode;
import java.io.IOException;
import java.security.PrivilegedExceptionAction;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.crypto.CryptoProtocolVersion;
import org.apache.hadoop.fs.CreateFlag;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.ClientProtocol;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.GetBlockLocationsRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.GetListingRequestProto;
import org.apache.hadoop.io.EnumSetWritable;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.thirdparty.protobuf.ByteString;
import org.apache.hadoop.thirdparty.protobuf.Message;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Clients that ask for much and read no reply, or that connect again all the time, do not hold up
 * another client. More of them with {@code -Dacacia.unread-connections=N}, for longer with {@code
 * -Dacacia.unread-seconds=N}.
 */
@Timeout(300)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class UnreadRepliesTest {
  private static final Logger LOG = LoggerFactory.getLogger(UnreadRepliesTest.class);

  private static final int CONNECTIONS = Integer.getInteger("acacia.unread-connections", 300);
  private static final Duration DURATION =
      Duration.ofSeconds(Integer.getInteger("acacia.unread-seconds", 5));

  /**
   * How long the NameNode may work on other calls while one of an ordinary client waits, in all but
   * one of a hundred; it is tens of milliseconds. Unlike the time it does not depend on what else
   * the machine does.
   */
  private static final Duration LIMIT = Duration.ofMillis(250);

  private static final int END_SECONDS = 60;
  private static final int ENTRIES = 1000;
  private static final int BLOCKS = 1000;
  private static final long BLOCK_BYTES = 1 << 20;

  /** More than the server answers before it waits for the client to read. */
  private static final int CALLS = 100;

  private static final int CALLS_WHEN_RECONNECTING = 10;
  private static final int RECEIVE_BYTES = 4096;
  private static final int THREADS = 4;

  private static final Message PAGE =
      GetListingRequestProto.newBuilder()
          .setSrc("/large")
          .setStartAfter(ByteString.EMPTY)
          .setNeedLocation(false)
          .build();
  private static final Message LOCATIONS =
      GetBlockLocationsRequestProto.newBuilder()
          .setSrc("/many")
          .setOffset(0)
          .setLength(Long.MAX_VALUE)
          .build();

  private final ExecutorService threads = Executors.newFixedThreadPool(THREADS);
  private final List<RawRpc> connections = new ArrayList<>();
  private Cluster cluster;
  private DistributedFileSystem ordinary;

  @BeforeAll
  void start() throws Exception {
    cluster = Cluster.builder("unread-replies").dataNodes(0).start();
    DistributedFileSystem fs = cluster.fileSystem();
    String name = "n".repeat(200);
    for (int i = 0; i < ENTRIES; i++) {
      fs.mkdirs(new Path("/large/" + name + i));
    }
    fs.mkdirs(new Path("/ordinary"));
    ordinary =
        UserGroupInformation.createRemoteUser("alice")
            .doAs((PrivilegedExceptionAction<DistributedFileSystem>) cluster::newFileSystem);
    writeManyBlocks(fs.getClient().getNamenode());
  }

  private void writeManyBlocks(ClientProtocol nameNode) throws IOException {
    try (SilentDatanode datanode =
        new SilentDatanode(cluster.port(), cluster.clientConfiguration())) {
      long fileId =
          nameNode
              .create(
                  "/many",
                  FsPermission.getFileDefault(),
                  "writer",
                  new EnumSetWritable<>(EnumSet.of(CreateFlag.CREATE)),
                  true,
                  (short) 1,
                  BLOCK_BYTES,
                  CryptoProtocolVersion.supported(),
                  null,
                  null)
              .getFileId();
      ExtendedBlock block = null;
      for (int i = 0; i < BLOCKS; i++) {
        block = nameNode.addBlock("/many", "writer", block, null, fileId, null, null).getBlock();
        block.setNumBytes(BLOCK_BYTES);
        datanode.receive(block.getLocalBlock());
      }
      assertThat(nameNode.complete("/many", "writer", block, fileId)).isTrue();
    }
  }

  @AfterAll
  void stop() throws Exception {
    threads.shutdownNow();
    ordinary.close();
    cluster.close();
  }

  @AfterEach
  void close() throws IOException {
    for (RawRpc connection : connections) {
      connection.close();
    }
    connections.clear();
  }

  @Test
  void pagesOfALargeDirectory() throws Exception {
    assertServedWhile(() -> neverRead("getListing", PAGE, "mallory"));
  }

  /** So that none of them costs more than others do. */
  @Test
  void pagesForAUserEach() throws Exception {
    assertServedWhile(() -> neverRead("getListing", PAGE, "mallory-"));
  }

  @Test
  void openReadsOfManyLocations() throws Exception {
    assertServedWhile(() -> neverRead("getBlockLocations", LOCATIONS, "mallory"));
  }

  @Test
  void openReadsOfManyLocationsForAUserEach() throws Exception {
    assertServedWhile(() -> neverRead("getBlockLocations", LOCATIONS, "mallory-"));
  }

  private interface Attack {
    void begin() throws IOException;
  }

  /**
   * @param user of all connections; with a hyphen at its end, the beginning of each one's
   */
  private void neverRead(String method, Message request, String user) throws IOException {
    for (int i = 0; i < CONNECTIONS; i++) {
      connections.add(ask(user.endsWith("-") ? user + i : user, method, request, CALLS));
    }
  }

  private RawRpc ask(String user, String method, Message request, int calls) throws IOException {
    RawRpc connection = new RawRpc(cluster.port(), RECEIVE_BYTES);
    connection.sendPreamble().sendContext(user, ClientProtocol.class.getName());
    for (int i = 0; i < calls; i++) {
      connection.sendCall(i, ClientProtocol.class.getName(), method, request);
    }
    return connection;
  }

  /** While the connections are made, and when they are there. */
  private void assertServedWhile(Attack attack) throws Exception {
    Future<?> made =
        threads.submit(
            () -> {
              attack.begin();
              return null;
            });
    assertServed();
    made.get(END_SECONDS, TimeUnit.SECONDS);
  }

  @Test
  void connectionsThatAreMadeAgainAllTheTime() throws Exception {
    AtomicBoolean ended = new AtomicBoolean();
    AtomicInteger made = new AtomicInteger();
    List<Future<Void>> all = new ArrayList<>();
    for (int i = 0; i < THREADS; i++) {
      all.add(threads.submit(() -> reconnect(ended, made)));
    }
    try {
      assertServed();
    } finally {
      ended.set(true);
    }
    for (Future<Void> future : all) {
      future.get(END_SECONDS, TimeUnit.SECONDS);
    }
    assertThat(made).hasValueGreaterThan(CONNECTIONS / 3);
  }

  /** Keeps its share of the connections, and makes the oldest of them anew. */
  private Void reconnect(AtomicBoolean ended, AtomicInteger made) throws IOException {
    RawRpc[] own = new RawRpc[Math.max(1, CONNECTIONS / THREADS)];
    try {
      for (int i = 0; !ended.get(); i = (i + 1) % own.length) {
        if (own[i] != null) {
          own[i].close();
        }
        String user = "mallory-" + made.incrementAndGet() % CONNECTIONS;
        own[i] = ask(user, "getListing", PAGE, CALLS_WHEN_RECONNECTING);
      }
    } finally {
      for (RawRpc connection : own) {
        if (connection != null) {
          connection.close();
        }
      }
    }
    return null;
  }

  private void assertServed() throws Exception {
    List<Duration> took = new ArrayList<>();
    List<Duration> worked = new ArrayList<>();
    long end = System.nanoTime() + DURATION.toNanos();
    Duration before = cluster.nameNode().cpuTime();
    long begin = System.nanoTime();
    while (begin < end) {
      ordinary.getFileStatus(new Path("/ordinary"));
      Duration after = cluster.nameNode().cpuTime();
      long now = System.nanoTime();
      took.add(Duration.ofNanos(now - begin));
      worked.add(after.minus(before));
      before = after;
      begin = now;
    }
    LOG.info(
        "calls={} p99={} p99Work={} longest={}",
        took.size(),
        slow(took),
        slow(worked),
        took.get(took.size() - 1));
    assertThat(slow(worked)).isLessThan(LIMIT);
    newClientIsServed();
  }

  /** All but one of a hundred are shorter. */
  private static Duration slow(List<Duration> all) {
    Collections.sort(all);
    return all.get((int) (all.size() * 0.99));
  }

  private void newClientIsServed() throws IOException {
    try (DistributedFileSystem another = cluster.newFileSystem()) {
      assertThat(another.getFileStatus(new Path("/ordinary")).isDirectory()).isTrue();
    }
  }
}
