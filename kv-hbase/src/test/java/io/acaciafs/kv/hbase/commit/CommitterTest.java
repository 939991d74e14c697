package io.acaciafs.kv.hbase.commit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.acaciafs.kv.Key;
import io.acaciafs.kv.StoreException;
import io.acaciafs.kv.Table;
import io.acaciafs.kv.Transaction;
import io.acaciafs.kv.UnavailableException;
import io.acaciafs.kv.hbase.HBaseServices;
import io.acaciafs.kv.hbase.HBaseStore;
import io.acaciafs.kv.hbase.Stores;
import io.acaciafs.kv.hbase.TestHBase;
import io.acaciafs.kv.hbase.client.Connections;
import io.acaciafs.kv.hbase.client.HBaseOptions;
import io.acaciafs.kv.hbase.local.LocalHBase;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A commit that others are always faster than. */
@Tag("hbase")
@ExtendWith(TestHBase.class)
class CommitterTest {
  private static final Table TABLE = new Table("rows", 2);
  private static final Key KEY = new Key(TABLE, new byte[] {1, 0, 1});

  /** In another region: commits of one are not given up so. */
  private static final Key FAR = new Key(TABLE, new byte[] {(byte) 0xF0, 0, 1});

  private final HBaseOptions options;

  CommitterTest(LocalHBase hbase) {
    options = Stores.options(hbase).withTable("overtaken").withTimeouts(1_500, 1_500, 20_000, 300);
  }

  /** Each attempt takes a number between its look at the rows and its requests. */
  private static final class Meddling implements RandomGenerator {
    private final RandomGenerator random = new SplittableRandom(1);
    private final HBaseStore store;
    private int count;

    Meddling(HBaseStore store) {
      this.store = store;
    }

    @Override
    public long nextLong() {
      Transaction transaction = store.begin();
      transaction.put(KEY, new byte[] {(byte) ++count});
      transaction.commit().join();
      return random.nextLong();
    }
  }

  @Test
  void aCommitThatGivesUpNamesItsLastConflict() throws Exception {
    try (HBaseStore store =
            Stores.openEmpty(options.withTimeouts(2_000, 20_000, 20_000, 300), Set.of(TABLE), 2);
        HBaseServices services =
            new HBaseServices(
                options,
                ConnectionFactory.createAsyncConnection(Connections.configuration(options))
                    .get(60, TimeUnit.SECONDS))) {
      Meddling meddling = new Meddling(store);
      Committer committer =
          new Committer(
              services.table(),
              services.locks(),
              services.memberCheck(),
              new RegionCommit(
                  services.table(),
                  services.memberCheck(),
                  services.membership(),
                  new CommitThreads(options),
                  meddling),
              RowCaches.empty().recent(),
              meddling);
      List<RowPlan> rows = List.of(new RowPlan(KEY), new RowPlan(FAR));
      rows.forEach(row -> row.put(new byte[] {77, 77}));
      assertThatThrownBy(() -> committer.commitRows(rows))
          .isInstanceOf(UnavailableException.class)
          .hasMessageStartingWith("A commit was in the way of others, or HBase did not serve it,")
          .hasMessageEndingWith(
              "nothing was written. When it was tried last, another transaction has changed or"
                  + " locked a row")
          .cause()
          .isInstanceOf(StoreException.class)
          .hasMessageEndingWith("one of " + KEY + ", " + FAR);
      assertThat(store.get(KEY)).hasSize(1);
      assertThat(store.get(FAR)).isNull();
    }
  }
}
