package io.acaciafs.kv.hbase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import io.acaciafs.kv.Table;
import io.acaciafs.kv.engine.StoreCluster;
import io.acaciafs.kv.hbase.admin.HBaseAdmin;
import io.acaciafs.kv.hbase.client.HBaseOptions;
import io.acaciafs.kv.hbase.local.LocalHBase;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What a store tells of its HBase. */
@Tag("hbase")
@ExtendWith(TestHBase.class)
class ClusterFiguresTest {
  private static final Table TABLE = new Table("entries", 1);
  private static final int REGIONS = 4;

  private final LocalHBase hbase;
  private final HBaseOptions options;

  ClusterFiguresTest(LocalHBase hbase) {
    this.hbase = hbase;
    this.options =
        HBaseOptions.of(hbase.zooKeeper())
            .withTable("figures")
            .withCoprocessor(HBaseOptions.COPROCESSOR_ON_CLASS_PATH);
  }

  @Test
  void theMasterTellsOfServersAndOfTheTablesRegions() {
    HBaseAdmin.format(options, Set.of(Table.ofScatteredRows("blocks")), REGIONS, true);
    try (HBaseStore store = HBaseStore.open(options)) {
      String server = "localhost:" + hbase.serverPorts().get(0);
      StoreCluster cluster = store.cluster().orElseThrow();
      StoreCluster.State state = cluster.state();
      assertThat(state.version()).startsWith("2.");
      assertThat(state.master()).startsWith("localhost:");
      assertThat(state.backupMasters()).isEmpty();
      assertThat(state.live()).containsExactly(server);
      assertThat(state.regions()).isEqualTo(REGIONS);
      assertThat(state.online()).isEqualTo(REGIONS);
      assertThat(state.transitions()).isEmpty();
    }
  }

  @Test
  void eachRegionTellsItsCoprocessor() throws Exception {
    HBaseAdmin.format(options, Set.of(TABLE), 1, true);
    try (HBaseStore store = HBaseStore.open(options)) {
      StoreCluster cluster = store.cluster().orElseThrow();
      StoreCluster.Coprocessor with = cluster.coprocessor().orElseThrow();
      assertThat(with.own()).matches("\\d+\\.\\d+\\.\\d+.*");
      assertThat(with.versions()).containsExactly(entry(with.own(), 1));
      assertThat(with.missing()).isEmpty();
      assertThat(with.unknown()).isZero();
      long before = store.requests();
      cluster.coprocessor();
      assertThat(store.requests()).as("of a region that is known").isEqualTo(before);

      Stores.removeCoprocessor(options);
      StoreCluster.Coprocessor without = cluster.coprocessor().orElseThrow();
      assertThat(without.versions()).isEmpty();
      assertThat(without.missing()).hasSize(1);
      assertThat(without.missing().get(0)).endsWith(" on localhost:" + hbase.serverPorts().get(0));
    }
  }

  @Test
  void aTableThatIsToHaveNoneIsNotAsked() {
    HBaseOptions stock = options.withCoprocessor(HBaseOptions.NO_COPROCESSOR);
    HBaseAdmin.format(stock, Set.of(TABLE), 1, true);
    try (HBaseStore store = HBaseStore.open(stock)) {
      assertThat(store.cluster().orElseThrow().coprocessor()).isEmpty();
    }
  }
}
