package io.acaciafs.kv.hbase;

import io.acaciafs.kv.Store;
import io.acaciafs.kv.StoreException;
import io.acaciafs.kv.Table;
import io.acaciafs.kv.hbase.admin.HBaseAdmin;
import io.acaciafs.kv.hbase.client.HBaseOptions;
import io.acaciafs.kv.hbase.local.LocalHBase;
import io.acaciafs.kv.testkit.AfterCrash;
import io.acaciafs.kv.testkit.CrashWorkload;
import io.acaciafs.kv.testkit.StoreConformance;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;

/** The kit on a real HBase, whose region server is killed in the test of crashes. */
@Tag("hbase")
@ExtendWith(TestHBase.class)
abstract class HBaseConformance extends StoreConformance {
  private static final int ENOUGH = 1_000;

  private final int regions;
  private final LocalHBase hbase;

  private final boolean isBound;
  private final String coprocessor;

  /**
   * @param isBound whether each request shows a pass
   * @param coprocessor as {@link HBaseOptions#coprocessor} has it
   */
  HBaseConformance(LocalHBase hbase, int regions, boolean isBound, String coprocessor) {
    this.coprocessor = coprocessor;
    this.hbase = hbase;
    this.regions = regions;
    this.isBound = isBound;
  }

  private HBaseStore bound(HBaseStore store) {
    if (isBound) {
      Stores.bind(store);
    }
    return store;
  }

  private HBaseOptions options(String name) {
    return HBaseOptions.of(hbase.zooKeeper())
        .withTable(name + regions + coprocessor)
        .withCoprocessor(coprocessor);
  }

  /** Each goes to a server. */
  @Override
  public int racedCommits() {
    return 400;
  }

  @Override
  protected Store open(Set<Table> tables) throws Exception {
    return bound(Stores.openEmpty(options("kit"), tables, regions));
  }

  @Override
  public Store reopen(Store old) {
    old.close();
    return bound(HBaseStore.open(options("kit")));
  }

  /** The store lives on through the death of the region server, until another one serves. */
  @Override
  public AfterCrash crash(CrashWorkload workload) throws Exception {
    HBaseOptions options = options("crashed");
    HBaseAdmin.format(options, CrashWorkload.tables(), regions, true);
    HBaseStore crashed = bound(HBaseStore.open(options));
    Set<Integer> acknowledged = new ConcurrentSkipListSet<>();
    CountDownLatch enough = new CountDownLatch(ENOUGH);
    CountDownLatch afterwards = new CountDownLatch(2 * ENOUGH);
    Thread writer =
        new Thread(
            () ->
                workload.run(
                    crashed,
                    number -> {
                      acknowledged.add(number);
                      enough.countDown();
                      afterwards.countDown();
                    }),
            "crash-workload");
    writer.start();
    await(enough);
    hbase.killServerAndTell(0);
    hbase.startServer();
    await(afterwards);
    crashed.close();
    writer.join(TimeUnit.SECONDS.toMillis(60));
    hbase.awaitServers(1);
    return new AfterCrash(HBaseStore.open(options), acknowledged);
  }

  private static void await(CountDownLatch latch) throws InterruptedException {
    if (!latch.await(90, TimeUnit.SECONDS)) {
      throw new StoreException("No progress of the workload");
    }
  }
}
