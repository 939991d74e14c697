package io.acaciafs.namenode.monitor;

import static org.assertj.core.api.Assertions.assertThat;

import io.acaciafs.blocks.repair.DecommissionMonitor.Progress;
import io.acaciafs.web.WebQuery;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo.DatanodeInfoBuilder;
import org.apache.hadoop.hdfs.server.protocol.DatanodeStorage;
import org.apache.hadoop.hdfs.server.protocol.StorageReport;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** DataNodes come sorted, filtered and page by page, and one with its volumes. */
class DatanodesPageTest {
  private final List<DatanodeRow> rows = new ArrayList<>();

  DatanodesPageTest() {
    for (int i = 0; i < 120; i++) {
      rows.add(row(i, i == 7 ? "dead" : "in service", null));
    }
    rows.add(row(120, "decommissioning", new Progress(12, 345)));
  }

  private static DatanodeRow row(int number, String state, @Nullable Progress leaving) {
    DatanodeInfo node =
        new DatanodeInfoBuilder()
            .setHostName(String.format("host%03d", number))
            .setIpAddr("10.0.0." + number)
            .setXferPort(9866)
            .setNetworkLocation("/rack" + number % 3)
            .setSoftwareVersion("3.5.0")
            .setCapacity(1000)
            .setDfsUsed(number)
            .setRemaining(1000 - number)
            .setNumBlocks(1000 - number)
            .build();
    StorageReport[] volumes = {
      new StorageReport(new DatanodeStorage("DS-1"), number == 5, 1000, number, 0, number, 0)
    };
    return new DatanodeRow(node, volumes, state, number, leaving);
  }

  private Map<String, Object> read(String query) {
    return new HashMap<>(new DatanodesPage(() -> rows).read(WebQuery.of(query)).body());
  }

  @SuppressWarnings("unchecked")
  private List<String> names(String query) {
    return ((List<Map<String, Object>>) read(query).get("nodes"))
        .stream().map(node -> String.valueOf(node.get("name"))).toList();
  }

  @Test
  void comePageByPage() {
    assertThat(names("")).hasSize(50).first().isEqualTo("host000:9866");
    assertThat(names("from=100")).hasSize(21).last().isEqualTo("host120:9866");
    assertThat(names("from=1000")).isEmpty();
    assertThat(names("limit=100000")).hasSize(121);
    assertThat(read("from=100")).containsEntry("all", 121).containsEntry("found", 121);
  }

  @Test
  void areSortedByWhatTheViewerWants() {
    assertThat(names("sort=blocks&limit=1")).containsExactly("host120:9866");
    assertThat(names("sort=used&down=true&limit=1")).containsExactly("host120:9866");
    assertThat(names("sort=failed&down=true&limit=1")).containsExactly("host005:9866");
    assertThat(names("sort=rack&limit=2")).containsExactly("host000:9866", "host003:9866");
    assertThat(names("sort=no+such&limit=1")).containsExactly("host000:9866");
  }

  @Test
  void areFoundByNameAddressRackOrState() {
    assertThat(names("filter=HOST007")).containsExactly("host007:9866");
    assertThat(names("filter=10.0.0.99")).containsExactly("host099:9866");
    assertThat(read("filter=/rack2")).containsEntry("found", 40);
    assertThat(names("filter=dead")).containsExactly("host007:9866");
    assertThat(read("filter=dead").get("states"))
        .isEqualTo(Map.of("dead", 1L, "decommissioning", 1L, "in service", 119L));
  }

  @Test
  void oneIsShownWithItsVolumesAndWhatItWaitsFor() {
    assertThat(read("node=host120:9866"))
        .containsEntry("blocksLookedThrough", 12L)
        .containsEntry("waitsForBlock", 345L);
    assertThat(String.valueOf(read("node=host005:9866").get("storages")))
        .contains("id=DS-1", "failed=true");
    assertThat(new DatanodesPage(() -> rows).read(WebQuery.of("node=nobody")).status())
        .isEqualTo(404);
  }
}
