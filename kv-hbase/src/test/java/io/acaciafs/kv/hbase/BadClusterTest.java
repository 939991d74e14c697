package io.acaciafs.kv.hbase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.acaciafs.kv.Key;
import io.acaciafs.kv.StoreException;
import io.acaciafs.kv.Table;
import io.acaciafs.kv.Transaction;
import io.acaciafs.kv.hbase.admin.HBaseAdmin;
import io.acaciafs.kv.hbase.client.Connections;
import io.acaciafs.kv.hbase.client.HBaseOptions;
import io.acaciafs.kv.hbase.local.LocalHBase;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.AsyncAdmin;
import org.apache.hadoop.hbase.client.AsyncConnection;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A cluster that is not as it should be: late, not ours, or not to be written. */
@Tag("hbase")
@ExtendWith(TestHBase.class)
class BadClusterTest {
  private static final Table TABLE = new Table("rows", 2);
  private static final int LIMIT_S = 30;

  private final LocalHBase hbase;
  private final HBaseOptions options;

  BadClusterTest(LocalHBase hbase) {
    this.hbase = hbase;
    this.options = Stores.options(hbase).withTable("bad").withTimeouts(2_000, 10_000, 30_000, 500);
  }

  @Test
  void aClusterThatComesLaterIsWaitedFor() throws Exception {
    Stores.openEmpty(options, Set.of(TABLE), 1).close();
    InetAddress loopback = InetAddress.getLoopbackAddress();
    ExecutorService threads = Executors.newCachedThreadPool();
    try (ServerSocket front = new ServerSocket()) {
      front.setReuseAddress(true);
      int port;
      try (ServerSocket free = new ServerSocket(0, 1, loopback)) {
        port = free.getLocalPort();
      }
      HBaseOptions late =
          new HBaseOptions(
              "127.0.0.1:" + port,
              "bad",
              null,
              HBaseOptions.NO_COPROCESSOR,
              null,
              new HBaseOptions.Timeouts(2_000, 10_000, 60_000, 500),
              new HBaseOptions.CommitLimits(4, 64),
              Map.of());
      CompletableFuture<HBaseStore> opened =
          CompletableFuture.supplyAsync(() -> HBaseStore.open(late), threads);
      assertThatThrownBy(() -> opened.get(1, TimeUnit.SECONDS))
          .isInstanceOf(TimeoutException.class);

      front.bind(new InetSocketAddress(loopback, port));
      threads.submit(() -> relay(front, threads));
      try (HBaseStore store = opened.get(60, TimeUnit.SECONDS)) {
        put(store, key(1, 1), 1);
        assertThat(store.get(key(1, 1))).containsExactly(1);
      }
    } finally {
      threads.shutdownNow();
    }
  }

  /** Hands what comes on to ZooKeeper, and back. */
  private Void relay(ServerSocket front, ExecutorService threads) throws IOException {
    int zooKeeperPort = Integer.parseInt(hbase.zooKeeper().split(":")[1]);
    while (!front.isClosed()) {
      Socket client = front.accept();
      Socket server = new Socket("127.0.0.1", zooKeeperPort);
      threads.submit(() -> copy(client, server));
      threads.submit(() -> copy(server, client));
    }
    return null;
  }

  private static Void copy(Socket from, Socket to) throws IOException {
    try (from;
        to) {
      InputStream in = from.getInputStream();
      OutputStream out = to.getOutputStream();
      in.transferTo(out);
    }
    return null;
  }

  @Test
  void aTableOfAnotherFormatIsLeftAlone() throws Exception {
    TableName foreign = TableName.valueOf("foreign");
    try (AsyncConnection connection = connect()) {
      AsyncAdmin admin = connection.getAdmin();
      admin
          .createTable(
              TableDescriptorBuilder.newBuilder(foreign)
                  .setColumnFamily(ColumnFamilyDescriptorBuilder.of(Bytes.toBytes("cf")))
                  .build())
          .get(LIMIT_S, TimeUnit.SECONDS);
      assertThatThrownBy(() -> HBaseStore.open(options.withTable("foreign")))
          .isInstanceOf(StoreException.class)
          .hasMessageContaining("table foreign was not made by this version's format");
      assertThatThrownBy(
              () -> HBaseAdmin.format(options.withTable("foreign"), Set.of(TABLE), 1, false))
          .isInstanceOf(StoreException.class)
          .hasMessageContaining("HBase has a table foreign already");
      assertThat(admin.getDescriptor(foreign).get(LIMIT_S, TimeUnit.SECONDS).getColumnFamilyNames())
          .containsExactly(Bytes.toBytes("cf"));
    }
  }

  @Test
  void aTableThatMustNotBeWrittenIsReadAndSaysWhyNot() throws Exception {
    HBaseOptions spread = options.withTable("readonly");
    try (HBaseStore store = Stores.openEmpty(spread, Set.of(TABLE), 2)) {
      put(store, key(1, 1), 1);
      put(store, key(0xF0, 1), 1);
      setReadOnly(true);
      long beganNs = System.nanoTime();
      assertRefused(() -> put(store, key(1, 1), 2));
      assertRefused(() -> put(store, key(1, 2), 2));
      assertRefused(() -> putBoth(store, 2));
      assertThat(TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - beganNs))
          .as("nobody waits in vain, in ms")
          .isLessThan(options.operationTimeoutMs());
      assertThat(store.get(key(1, 1))).containsExactly(1);
      assertThat(store.get(key(1, 2))).isNull();
      assertThat(store.get(key(0xF0, 1))).containsExactly(1);

      setReadOnly(false);
      putBoth(store, 3);
      assertThat(store.get(key(1, 1))).containsExactly(3);
      assertThat(store.get(key(0xF0, 1))).containsExactly(3);
    }
  }

  private static void assertRefused(Runnable commit) {
    assertThatThrownBy(commit::run)
        .hasRootCauseInstanceOf(IOException.class)
        .hasMessageContaining("read-only")
        .hasMessageContaining("nothing was written");
  }

  private void setReadOnly(boolean isReadOnly) throws Exception {
    TableName name = TableName.valueOf("readonly");
    try (AsyncConnection connection = connect()) {
      AsyncAdmin admin = connection.getAdmin();
      admin
          .modifyTable(
              TableDescriptorBuilder.newBuilder(
                      admin.getDescriptor(name).get(LIMIT_S, TimeUnit.SECONDS))
                  .setReadOnly(isReadOnly)
                  .build())
          .get(LIMIT_S, TimeUnit.SECONDS);
    }
  }

  private AsyncConnection connect() throws Exception {
    return ConnectionFactory.createAsyncConnection(Connections.configuration(options))
        .get(LIMIT_S, TimeUnit.SECONDS);
  }

  private static void put(HBaseStore store, Key key, int value) {
    Transaction transaction = store.begin();
    transaction.put(key, new byte[] {(byte) value});
    transaction.commit().join();
  }

  private static void putBoth(HBaseStore store, int value) {
    Transaction transaction = store.begin();
    for (Key key : new Key[] {key(1, 1), key(0xF0, 1)}) {
      transaction.get(key);
      transaction.put(key, new byte[] {(byte) value});
    }
    transaction.commit().join();
  }

  private static Key key(int... bytes) {
    byte[] key = new byte[bytes.length];
    for (int i = 0; i < bytes.length; i++) {
      key[i] = (byte) bytes[i];
    }
    return new Key(TABLE, key);
  }
}
