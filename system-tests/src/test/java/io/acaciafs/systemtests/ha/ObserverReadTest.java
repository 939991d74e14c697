package io.acaciafs.systemtests.ha;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.acaciafs.systemtests.harness.Await;
import io.acaciafs.systemtests.harness.HaCluster;
import io.acaciafs.systemtests.harness.HaOptions;
import java.io.IOException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.ha.HAServiceProtocol.HAServiceState;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.server.namenode.ha.ObserverReadProxyProvider;
import org.apache.hadoop.io.retry.FailoverProxyProvider;
import org.apache.hadoop.io.retry.RetryInvocationHandler;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Clients with Hadoop's ObserverReadProxyProvider: NameNodes that stand by answer their reads. */
class ObserverReadTest {
  private static final Duration LIMIT = Duration.ofMinutes(2);
  private static final int ROUNDS = 20;

  /** Longer than an observer has a client wait before it asks the leader. */
  private static final Duration SYNC_TIME = Duration.ofSeconds(4);

  private static HaCluster cluster;

  @BeforeAll
  static void start() throws Exception {
    cluster = HaCluster.start("observer", new HaOptions(1, Map.of(), true));
  }

  @AfterAll
  static void stop() throws IOException {
    cluster.close();
  }

  /** A client of its own that reads from observers. */
  private static DistributedFileSystem newReader() throws IOException {
    return newReader(cluster.clientConfiguration());
  }

  private static DistributedFileSystem newReader(Configuration conf) throws IOException {
    conf.setClass(
        "dfs.client.failover.proxy.provider." + conf.get("dfs.nameservices"),
        ObserverReadProxyProvider.class,
        FailoverProxyProvider.class);
    return (DistributedFileSystem) FileSystem.newInstance(conf);
  }

  /** Which NameNode answered the last call. */
  private static String lastServer(DistributedFileSystem fs) throws Exception {
    RetryInvocationHandler<?> handler =
        (RetryInvocationHandler<?>) Proxy.getInvocationHandler(fs.getClient().getNamenode());
    Method provider = RetryInvocationHandler.class.getDeclaredMethod("getProxyProvider");
    provider.setAccessible(true);
    Method last = ObserverReadProxyProvider.class.getDeclaredMethod("getLastProxy");
    last.setAccessible(true);
    return ((FailoverProxyProvider.ProxyInfo<?>) last.invoke(provider.invoke(handler))).proxyInfo;
  }

  /** A client finds what it has done, at once and each time, though another NameNode answers. */
  @Test
  void aClientReadsItsOwnWrites() throws Exception {
    Set<String> readers = new HashSet<>();
    try (DistributedFileSystem fs = newReader()) {
      for (int i = 0; i < ROUNDS; i++) {
        Path directory = new Path("/own/" + i);
        fs.mkdirs(directory);
        Path file = new Path(directory, "file");
        try (FSDataOutputStream out = fs.create(file)) {
          out.write(file.toString().getBytes(UTF_8));
        }
        FileStatus status = fs.getFileStatus(file);
        readers.add(lastServer(fs));
        assertThat(status.getLen()).isEqualTo(file.toString().length());
        byte[] content = new byte[(int) status.getLen()];
        try (FSDataInputStream in = fs.open(file)) {
          in.readFully(content);
        }
        assertThat(new String(content, UTF_8)).isEqualTo(file.toString());
        Path renamed = new Path(directory, "renamed");
        assertThat(fs.rename(file, renamed)).isTrue();
        assertThat(fs.exists(file)).isFalse();
        assertThat(fs.listStatus(directory)).hasSize(1);
        fs.delete(directory, true);
        assertThat(fs.exists(directory)).isFalse();
      }
    }
    assertThat(readers).as("the NameNodes that answered reads").hasSize(1);
    assertThat(readers.toString()).doesNotContain(addressOfLeader());
  }

  /** Whichever NameNode it asks first, which may be one that hands the call to the leader. */
  @Test
  void aNewClientReadsItsFirstWrite() throws Exception {
    for (int i = 0; i < 30; i++) {
      Path path = new Path("/first/" + i);
      try (DistributedFileSystem fs = newReader()) {
        fs.mkdirs(path);
        assertThat(fs.exists(path)).as("%s", path).isTrue();
      }
    }
  }

  private static String addressOfLeader() throws Exception {
    return cluster.rpcAddress(cluster.awaitLeader());
  }

  /** A client of its own that knows the leader and one observer. */
  private static DistributedFileSystem newReaderOf(int observer) throws Exception {
    Configuration conf = cluster.clientConfiguration();
    conf.set(
        "dfs.ha.namenodes." + conf.get("dfs.nameservices"),
        "nn" + (observer + 1) + ",nn" + (cluster.awaitLeader() + 1));
    return newReader(conf);
  }

  /** The disk of the observer takes seconds for a sync, so that it applies nothing meanwhile. */
  @Test
  void anObserverThatLagsHasTheLeaderAnswerWhatItDoesNotKnowYet() throws Exception {
    assumeTrue(HaCluster.canHarmDisks(), "There is no C compiler");
    cluster.awaitFollowers();
    int lagging = (cluster.awaitLeader() + 1) % cluster.size();
    Path others = new Path("/lag-others");
    Path own = new Path("/lag-own");
    try (DistributedFileSystem writer = cluster.newFileSystem();
        DistributedFileSystem reader = newReaderOf(lagging)) {
      assertThat(reader.exists(others)).isFalse();
      cluster.setSyncTime(lagging, SYNC_TIME);
      try {
        assertThat(writer.mkdirs(others)).isTrue();
        assertThat(reader.exists(others)).as("what a lagging observer says").isFalse();
        reader.msync();
        assertThat(reader.exists(others)).isTrue();
        assertThat(lastServer(reader)).contains(cluster.rpcAddress(lagging));
        assertThat(reader.mkdirs(own)).isTrue();
        assertThat(reader.exists(own)).isTrue();
        assertThat(reader.listStatus(new Path("/")))
            .extracting(FileStatus::getPath)
            .extracting(Path::getName)
            .contains(others.getName(), own.getName());
        assertThat(reader.delete(others, false)).isTrue();
        assertThat(reader.exists(others)).isFalse();
        assertThat(lastServer(reader)).contains(cluster.rpcAddress(lagging));
      } finally {
        cluster.setSyncTime(lagging, Duration.ZERO);
      }
      cluster.awaitFollowers();
      assertThat(reader.exists(own)).isTrue();
    }
  }

  /** An observer writes nothing: HDFS's sends such a client to the leader, Acacia's asks it. */
  @Test
  void aReadThatWritesIsTheLeaders() throws Exception {
    Path file = new Path("/access-time");
    try (DistributedFileSystem fs = newReader()) {
      try (FSDataOutputStream out = fs.create(file)) {
        out.writeInt(1);
      }
      fs.setTimes(file, -1, 1);
      assertThat(fs.getFileStatus(file).getAccessTime()).isOne();
      try (FSDataInputStream in = fs.open(file)) {
        assertThat(in.readInt()).isOne();
      }
      assertThat(lastServer(fs)).doesNotContain(addressOfLeader());
      Await.until( // the reader does not wait for it
          "a later access time", LIMIT, () -> fs.getFileStatus(file).getAccessTime() > 1);
    }
  }

  /** As HDFS promises it: another client's writes are seen after msync. */
  @Test
  void aClientSeesWhatOthersHaveDoneAfterMsync() throws Exception {
    try (DistributedFileSystem writer = cluster.newFileSystem();
        DistributedFileSystem reader = newReader()) {
      for (int i = 0; i < ROUNDS; i++) {
        Path path = new Path("/others/" + i);
        writer.mkdirs(path);
        reader.msync();
        assertThat(reader.exists(path)).as("%s", path).isTrue();
      }
    }
  }

  /** What a client has seen it sees again, whoever leads and whoever answers. */
  @Test
  void noClientGoesBackInTimeWhenLeadersAreKilled() throws Exception {
    try (DistributedFileSystem fs = newReader()) {
      int made = 0;
      for (int kill = 0; kill < 2; kill++) {
        for (int end = made + 50; made < end; made++) {
          fs.mkdirs(new Path("/back/" + made));
          assertThat(fs.listStatus(new Path("/back"))).hasSize(made + 1);
        }
        int leader = cluster.awaitLeader();
        cluster.nameNode(leader).kill();
        for (int end = made + 50; made < end; made++) {
          assertThat(fs.listStatus(new Path("/back"))).hasSize(made);
          fs.mkdirs(new Path("/back/" + made));
        }
        cluster.nameNode(leader).start();
        Await.until(
            "an observer again", LIMIT, () -> cluster.state(leader) == HAServiceState.OBSERVER);
      }
    }
  }

  /** Nobody leads then, and what a client has seen is still there. */
  @Test
  void theLastNameNodeAnswersReadsWhenAMajorityIsLost() throws Exception {
    Path path = new Path("/last");
    try (DistributedFileSystem fs = newReader()) {
      fs.mkdirs(path);
      assertThat(fs.exists(path)).isTrue();
      int leader = cluster.awaitLeader();
      int other = (leader + 1) % cluster.size();
      cluster.nameNode(leader).kill();
      cluster.nameNode(other).kill();
      assertThat(fs.exists(path)).isTrue();
      assertThat(fs.exists(new Path("/never"))).isFalse();
      cluster.nameNode(leader).start();
      cluster.nameNode(other).start();
      cluster.awaitLeader();
      assertThat(fs.delete(path, false)).isTrue();
      assertThat(fs.exists(path)).isFalse();
    }
  }
}
