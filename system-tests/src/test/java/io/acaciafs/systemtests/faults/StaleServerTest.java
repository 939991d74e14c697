package io.acaciafs.systemtests.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.acaciafs.kv.hbase.HBaseStore;
import io.acaciafs.kv.hbase.client.HBaseOptions;
import io.acaciafs.systemtests.harness.Await;
import io.acaciafs.systemtests.harness.NameNodeProcess;
import io.acaciafs.systemtests.harness.NameNodeProgram;
import io.acaciafs.systemtests.harness.SharedStore;
import io.acaciafs.systemtests.harness.Signals;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.security.PrivilegedExceptionAction;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.crypto.CryptoProtocolVersion;
import org.apache.hadoop.fs.CreateFlag;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Options;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.ClientProtocol;
import org.apache.hadoop.io.EnumSetWritable;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hadoop.ipc.RetriableException;
import org.apache.hadoop.security.AccessControlException;
import org.apache.hadoop.security.UserGroupInformation;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A region server stands still until HBase has moved its regions to others. Then it goes on, and
 * for a moment it answers as if it still had them. In every second round a NameNode stands still
 * and goes on with it. No NameNode gives a client old data, neither of directories that it knows
 * nor of files.
 */
@Tag("long")
class StaleServerTest {
  private static final Logger LOG = LoggerFactory.getLogger(StaleServerTest.class);
  private static final int ROUNDS = Integer.getInteger("acacia.stale-rounds", 3);
  private static final int NAME_NODES = 3;
  private static final int REGION_SERVERS = 2;
  private static final int SESSION_TIMEOUT_MS = 6_000;
  private static final int OF_A_KIND = 20;
  private static final int FILES = 40;
  private static final long BEFORE_IT_GOES_ON_MS = 50;
  private static final Duration LONGEST = Duration.ofMinutes(3);

  private final ExecutorService threads = Executors.newCachedThreadPool();

  /** An operation on a directory, and what clients may see of it afterwards. */
  private enum Change {
    CLOSE_OFF,
    RENAME,
    DELETE
  }

  /** What an administrator does. */
  private interface Work {
    void run() throws IOException;
  }

  @Test
  void nobodyIsToldWhatWasSoBefore() throws Exception {
    assumeTrue(NameNodeProgram.underTest() == NameNodeProgram.ACACIA, "Hadoop's has no engines");
    Map<String, String> settings =
        Map.of("acacia.namenode.lease", "5000ms", "acacia.store.hbase.regions", "4");
    try (SharedStore store =
        new SharedStore("stale", NAME_NODES, REGION_SERVERS, SESSION_TIMEOUT_MS, settings)) {
      List<String> wrong = new ArrayList<>();
      for (int round = 0; round < ROUNDS; round++) {
        wrong.addAll(new Round(store, "/round" + round).run(round));
      }
      assertThat(wrong).isEmpty();
    } finally {
      threads.shutdownNow();
    }
  }

  private final class Round {
    private final SharedStore store;
    private final String top;
    private final List<ClientProtocol> admins = new ArrayList<>();
    private final List<ClientProtocol> others = new ArrayList<>();
    private final List<FileSystem> clients = new ArrayList<>();

    Round(SharedStore store, String top) {
      this.store = store;
      this.top = top;
    }

    List<String> run(int round) throws Exception {
      for (int i = 0; i < NAME_NODES; i++) {
        int nameNode = i;
        store.revive(i, LONGEST); // on a busy machine it may have lost its lease
        admins.add(connect(() -> store.clientOf(nameNode)));
        others.add(
            UserGroupInformation.createRemoteUser("other")
                .doAs(
                    (PrivilegedExceptionAction<ClientProtocol>)
                        () -> connect(() -> store.clientOf(nameNode))));
      }
      try {
        return work(round);
      } finally {
        for (FileSystem client : clients) {
          client.close();
        }
      }
    }

    private ClientProtocol connect(Callable<FileSystem> how) throws Exception {
      DistributedFileSystem client = (DistributedFileSystem) how.call();
      clients.add(client);
      return client.getClient().getNamenode();
    }

    private List<String> work(int round) throws Exception {
      admins.get(0).mkdirs(top, new FsPermission((short) 0777), true);
      for (Change change : Change.values()) {
        for (int i = 0; i < OF_A_KIND; i++) {
          String directory = directory(change, i);
          admins.get(0).mkdirs(directory, new FsPermission((short) 0777), true);
          create(admins.get(0), directory + "/file");
        }
      }
      for (int i = 0; i < FILES; i++) {
        create(admins.get(0), top + "/f" + i);
      }
      for (ClientProtocol other : others) {
        for (Change change : Change.values()) {
          for (int i = 0; i < OF_A_KIND; i++) {
            assertThat(other.getFileInfo(directory(change, i) + "/file")).isNotNull();
          }
        }
      }
      long pid = serverWithMost();
      boolean isNameNodeStopped = round % 2 == 1;
      long nameNodePid = store.nameNode(NAME_NODES - 1).pid();
      Signals.stop(pid);
      if (isNameNodeStopped) {
        Signals.stop(nameNodePid);
      }
      List<Future<?>> wrong = new ArrayList<>();
      try {
        long beganNs = System.nanoTime();
        changeAll();
        LOG.info(
            "All is changed round={} tookMs={}",
            round,
            TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - beganNs));
        for (int i = 1; i < NAME_NODES; i++) {
          askAll(others.get(i), i, wrong);
        }
        long askedNs = System.nanoTime();
        Await.until(
            "a moment",
            LONGEST,
            () ->
                System.nanoTime() - askedNs > TimeUnit.MILLISECONDS.toNanos(BEFORE_IT_GOES_ON_MS));
      } finally {
        Signals.resume(pid);
        if (isNameNodeStopped) {
          Signals.resume(nameNodePid);
        }
      }
      List<String> differences = collect("at once", wrong);
      if (isNameNodeStopped) {
        restartNameNode();
      }
      List<Future<?>> later = new ArrayList<>();
      for (int i = 0; i < NAME_NODES; i++) {
        askAll(others.get(i), i, later);
      }
      differences.addAll(collect("later", later));
      LOG.info("Asked round={} wrong={} of={}", round, differences.size(), wrong.size());
      recoverServers();
      return differences;
    }

    /** It was taken for dead meanwhile, and ends when it notices. */
    private void restartNameNode() throws Exception {
      NameNodeProcess nameNode = store.nameNode(NAME_NODES - 1);
      Await.until("the end of a NameNode", LONGEST, () -> !nameNode.isAlive());
      nameNode.start();
      store.await(NAME_NODES - 1);
      others.set(
          NAME_NODES - 1,
          UserGroupInformation.createRemoteUser("other")
              .doAs(
                  (PrivilegedExceptionAction<ClientProtocol>)
                      () -> connect(() -> store.clientOf(NAME_NODES - 1))));
    }

    /** What was taken for dead ends itself. */
    private void recoverServers() throws Exception {
      Await.until(
          "the end of a server that was taken for dead",
          LONGEST,
          () -> store.hbase().forgetEndedServers() == 1);
      store.hbase().startServer();
      store.hbase().awaitServers(REGION_SERVERS);
    }

    private List<String> collect(String when, List<Future<?>> answers) throws Exception {
      List<String> wrong = new ArrayList<>();
      for (Future<?> answer : answers) {
        Object text = answer.get(LONGEST.toSeconds(), TimeUnit.SECONDS);
        if (text != null) {
          wrong.add(when + ": " + text);
        }
      }
      return wrong;
    }

    private void changeAll() throws Exception {
      List<Future<?>> changed = new ArrayList<>();
      ClientProtocol admin = admins.get(0);
      FsPermission closed = new FsPermission((short) 0700);
      FsPermission hidden = new FsPermission((short) 0600);
      for (int i = 0; i < OF_A_KIND; i++) {
        String toClose = directory(Change.CLOSE_OFF, i);
        String toRename = directory(Change.RENAME, i);
        String toDelete = directory(Change.DELETE, i);
        changed.add(change(() -> admin.setPermission(toClose, closed)));
        changed.add(change(() -> admin.rename2(toRename, toRename + "-new", Options.Rename.NONE)));
        changed.add(change(() -> admin.delete(toDelete, true)));
      }
      for (int i = 0; i < FILES; i++) {
        String file = top + "/f" + i;
        changed.add(change(() -> admin.setPermission(file, hidden)));
      }
      for (Future<?> change : changed) {
        change.get(LONGEST.toSeconds(), TimeUnit.SECONDS);
      }
    }

    /** Until it is done; what a NameNode gave up may have been done all the same. */
    private Future<?> change(Work work) {
      return threads.submit(
          () -> {
            boolean isDone = false;
            boolean isRepeated = false;
            while (!isDone) {
              try {
                work.run();
                isDone = true;
              } catch (RemoteException e) {
                isDone = isRepeated && isA(e, FileNotFoundException.class);
                if (!isDone && !isA(e, RetriableException.class)) {
                  throw e;
                }
                isRepeated = true;
              }
            }
            return null;
          });
    }

    private void askAll(ClientProtocol other, int nameNode, List<Future<?>> answers) {
      for (int i = 0; i < OF_A_KIND; i++) {
        int number = i;
        answers.add(
            threads.submit(() -> closedOff(other, nameNode, directory(Change.CLOSE_OFF, number))));
        answers.add(
            threads.submit(() -> isGone(other, nameNode, directory(Change.RENAME, number))));
        answers.add(
            threads.submit(() -> isGone(other, nameNode, directory(Change.DELETE, number))));
      }
      for (int i = 0; i < FILES; i++) {
        String file = top + "/f" + i;
        answers.add(
            threads.submit(
                () -> {
                  try {
                    short mode = other.getFileInfo(file).getPermission().toShort();
                    return mode == 0600 ? null : nameNode + " says of " + file + " " + mode;
                  } catch (IOException e) {
                    return isRefusal(e, RetriableException.class) ? null : nameNode + ": " + e;
                  }
                }));
      }
    }

    private String closedOff(ClientProtocol other, int nameNode, String directory) {
      try {
        other.getFileInfo(directory + "/file");
        return nameNode + " lets in to " + directory;
      } catch (IOException e) {
        return isRefusal(e, AccessControlException.class) ? null : nameNode + " fails: " + e;
      }
    }

    /** A process that ends meanwhile gives no answer, which is not an error. */
    private static boolean isRefusal(IOException e, Class<?> type) {
      return isA(e, type) || !(e instanceof RemoteException) || isA(e, RetriableException.class);
    }

    private String isGone(ClientProtocol other, int nameNode, String directory) throws IOException {
      try {
        if (other.getFileInfo(directory + "/file") != null) {
          return nameNode + " still has " + directory;
        }
        create(other, directory + "/new" + nameNode);
        return nameNode + " creates in " + directory;
      } catch (IOException e) {
        return isRefusal(e, FileNotFoundException.class) ? null : nameNode + " fails: " + e;
      }
    }

    private String directory(Change change, int number) {
      return top + "/" + change + number;
    }

    private long serverWithMost() throws Exception {
      List<Integer> ports = store.hbase().serverPorts();
      int[] regions = new int[ports.size()];
      try (HBaseStore table = HBaseStore.open(HBaseOptions.of(store.hbase().zooKeeper()))) {
        for (String region : table.regions()) {
          for (int i = 0; i < regions.length; i++) {
            regions[i] += region.contains("," + ports.get(i) + ",") ? 1 : 0;
          }
        }
      }
      LOG.info("Regions ports={} regions={}", ports, regions);
      return store.hbase().serverPids().get(regions[0] >= regions[1] ? 0 : 1);
    }
  }

  private static boolean isA(IOException e, Class<?> type) {
    return e instanceof RemoteException remote && remote.getClassName().equals(type.getName());
  }

  private static void create(ClientProtocol calls, String path) throws IOException {
    calls.create(
        path,
        new FsPermission((short) 0644),
        "client",
        new EnumSetWritable<>(EnumSet.of(CreateFlag.CREATE)),
        false,
        (short) 1,
        1 << 20,
        CryptoProtocolVersion.supported(),
        null,
        null);
  }
}
