package io.acaciafs.namespace.run;

import static io.acaciafs.namespace.testkit.NamespaceFixture.SUPERUSER;
import static org.assertj.core.api.Assertions.assertThat;

import io.acaciafs.kv.Store;
import io.acaciafs.kv.memory.Faults;
import io.acaciafs.kv.memory.MemoryStore;
import io.acaciafs.kv.run.TransactionRunner;
import io.acaciafs.namespace.Namespace;
import io.acaciafs.namespace.context.CallId;
import io.acaciafs.namespace.op.directory.Delete;
import io.acaciafs.namespace.op.directory.GetFileInfo;
import io.acaciafs.namespace.settings.NamespaceSettings;
import io.acaciafs.namespace.testkit.FakeBlocks;
import io.acaciafs.namespace.testkit.ManualClock;
import io.acaciafs.namespace.testkit.NamespaceFixture;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import org.apache.hadoop.fs.CreateFlag;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** NameNodes keep their answers for retries when an administrator sets the clock. */
class RunningTimeTest {
  private static final byte[] CLIENT_ID = "sixteen bytes id".getBytes();
  private static final long DAY_MS = Duration.ofDays(1).toMillis();
  private static final long MINUTE_MS = Duration.ofMinutes(1).toMillis();

  private final ScheduledExecutorService retries = Executors.newSingleThreadScheduledExecutor();
  private final ManualClock wall = new ManualClock();
  private final ManualClock elapsed = new ManualClock();
  private final NamespaceSettings settings = NamespaceFixture.settings(4, 0);

  @AfterEach
  void close() {
    retries.shutdownNow();
  }

  private Namespace start(Store store) {
    TransactionRunner runner = new TransactionRunner(store, retries, new Random(1));
    Namespace.format(runner, settings, wall).join();
    return new Namespace(runner, settings, new FakeBlocks(), wall, elapsed);
  }

  private static boolean delete(Namespace namespace, int retryCount) {
    return namespace
        .submit(SUPERUSER.in(new CallId(CLIENT_ID, 1, retryCount)), new Delete("/file", false))
        .join();
  }

  private static void create(Namespace namespace) {
    namespace
        .submit(SUPERUSER, NamespaceFixture.create("/file", 0644, "c", CreateFlag.CREATE))
        .join();
  }

  private static boolean isThere(Namespace namespace) {
    return namespace.submit(SUPERUSER, new GetFileInfo("/file")).join() != null;
  }

  @Test
  void anAnswerOutlivesAClockThatIsSet() {
    for (Store store : stores()) {
      Namespace namespace = start(store);
      create(namespace);
      assertThat(delete(namespace, 0)).isTrue();
      create(namespace);
      wall.advanceMs(DAY_MS);

      assertThat(delete(namespace, 1)).isTrue();
      assertThat(isThere(namespace)).isTrue();
      wall.advanceMs(-2 * DAY_MS);
      elapsed.advanceMs(12 * MINUTE_MS);
      delete(namespace, 1);
      assertThat(isThere(namespace)).as("ten minutes later it is forgotten").isFalse();
    }
  }

  @Test
  void itOutlivesARestartAfterIt() {
    for (Store store : stores()) {
      Namespace namespace = start(store);
      namespace.keepRunningTime().join();
      create(namespace);
      assertThat(delete(namespace, 0)).isTrue();
      create(namespace);
      elapsed.advanceMs(5 * MINUTE_MS);
      namespace.keepRunningTime().join();
      wall.advanceMs(DAY_MS);

      Namespace restarted = start(store);
      assertThat(delete(restarted, 1)).isTrue();
      assertThat(isThere(restarted)).isTrue();
      elapsed.advanceMs(8 * MINUTE_MS);
      delete(restarted, 1);
      assertThat(isThere(restarted)).as("13 minutes later it is forgotten").isFalse();
    }
  }

  /** Of two processes neither takes an answer for older than it is. */
  @Test
  void processesAgreeOnIt() {
    Store store = NamespaceFixture.sharedStore(Faults.none());
    Namespace one = start(store);
    one.keepRunningTime().join();
    elapsed.advanceMs(3 * MINUTE_MS);
    one.keepRunningTime().join();
    wall.advanceMs(DAY_MS);
    Namespace other = start(store);
    other.keepRunningTime().join();
    create(one);
    assertThat(delete(one, 0)).isTrue();
    create(other);
    elapsed.advanceMs(9 * MINUTE_MS);

    assertThat(delete(other, 1)).isTrue();
    assertThat(isThere(one)).isTrue();
    elapsed.advanceMs(3 * MINUTE_MS);
    delete(other, 1);
    assertThat(isThere(one)).isFalse();
  }

  private static Iterable<Store> stores() {
    return List.of(new MemoryStore(), NamespaceFixture.sharedStore(Faults.none()));
  }
}
