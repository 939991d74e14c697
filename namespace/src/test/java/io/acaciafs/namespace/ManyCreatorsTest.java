package io.acaciafs.namespace;

import static io.acaciafs.namespace.testkit.NamespaceFixture.SUPERUSER;
import static io.acaciafs.namespace.testkit.NamespaceFixture.create;
import static org.assertj.core.api.Assertions.assertThat;

import io.acaciafs.kv.rocksdb.RocksDbOptions;
import io.acaciafs.kv.rocksdb.RocksDbStore;
import io.acaciafs.kv.run.TransactionRunner;
import io.acaciafs.namespace.context.CallId;
import io.acaciafs.namespace.model.Parallel;
import io.acaciafs.namespace.op.directory.GetFileInfo;
import io.acaciafs.namespace.op.directory.Mkdirs;
import io.acaciafs.namespace.path.PathUse;
import io.acaciafs.namespace.settings.NamespaceSettings;
import io.acaciafs.namespace.testkit.FakeBlocks;
import io.acaciafs.namespace.testkit.ManualClock;
import io.acaciafs.namespace.testkit.NamespaceFixture;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.fs.CreateFlag;
import org.apache.hadoop.fs.permission.FsPermission;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whoever adds an entry to a directory is in nobody's way who adds another. */
class ManyCreatorsTest {
  private static final int THREADS = 8;
  private static final int CREATORS = 1_000;
  private static final int FILES_EACH = 5;

  private final ScheduledExecutorService retries = Executors.newSingleThreadScheduledExecutor();
  @TempDir private Path folder;
  private RocksDbStore store;
  private TransactionRunner runner;
  private Namespace namespace;

  @BeforeEach
  void start() throws Exception {
    NamespaceSettings settings = NamespaceFixture.settings(100, 0);
    ManualClock clock = new ManualClock();
    store = RocksDbStore.open(folder, NamespaceFixture.tables(), RocksDbOptions.defaults());
    runner = new TransactionRunner(store, retries, new Random(1));
    done(Namespace.format(runner, settings, clock));
    namespace = new Namespace(runner, settings, new FakeBlocks(), clock, clock);
    // the first to use a name gives it a number
    done(namespace.submit(SUPERUSER, new Mkdirs("/d", FsPermission.getDirDefault(), true)));
  }

  @AfterEach
  void stop() {
    retries.shutdownNow();
    store.close();
  }

  @Test
  void creatorsInOneDirectoryNeverConflict() throws Exception {
    List<Callable<Object>> threads = new ArrayList<>();
    for (int i = 0; i < THREADS; i++) {
      int first = i;
      threads.add(
          () -> {
            List<CompletableFuture<?>> creates = new ArrayList<>();
            for (int creator = first; creator < CREATORS; creator += THREADS) {
              creates.addAll(createFiles(creator));
            }
            for (CompletableFuture<?> create : creates) {
              done(create);
            }
            return null;
          });
    }
    Parallel.run(threads);

    assertThat(done(namespace.submit(SUPERUSER, new GetFileInfo("/d", PathUse.READ))).children())
        .isEqualTo(CREATORS * FILES_EACH);
    assertThat(runner.conflicts()).isZero();
  }

  private List<CompletableFuture<?>> createFiles(int creator) {
    List<CompletableFuture<?>> creates = new ArrayList<>();
    byte[] clientId = new byte[CallId.CLIENT_ID_LENGTH];
    clientId[0] = (byte) creator;
    clientId[1] = (byte) (creator >> Byte.SIZE);
    for (int i = 0; i < FILES_EACH; i++) {
      creates.add(
          namespace.submit(
              SUPERUSER.in(new CallId(clientId, i, 0)),
              create("/d/f" + creator + "-" + i, 0644, "client" + creator, CreateFlag.CREATE)));
    }
    return creates;
  }

  private static <T> T done(CompletableFuture<T> future) throws Exception {
    return future.get(60, TimeUnit.SECONDS);
  }
}
