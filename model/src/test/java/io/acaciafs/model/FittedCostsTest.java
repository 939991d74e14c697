package io.acaciafs.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The costs of requests in {@code costs.json} follow from measurements, and this is how. */
class FittedCostsTest {
  private static final SharedRequests GROUPS = new SharedRequests(0, 0, 64);

  /** In many-servers.json: one directory, a bucket for each server, 128 calls in flight. */
  private static final double[] CREATE_128 = {320, 633};

  private static final double[] REMOVE_128 = {167, 356};

  /** In many-servers.json: stats of one and of eight pairs with 128 and with 512 workers. */
  private static final double[] STAT_1 = {170, 132};

  private static final double[] STAT_8 = {252, 156};

  @Test
  void aCommitRequestIsWhatSmallGroupsCostMore() throws IOException, InputException {
    double more = 1 / GROUPS.group(16) - 1 / GROUPS.group(128);
    double ofCreate = (CREATE_128[1] - CREATE_128[0]) / 2 / more; // a create and a complete
    double ofRemove = (REMOVE_128[1] - REMOVE_128[0]) / more;
    double requestWithCounter = (ofCreate + ofRemove) / 2;
    assertThat(requestWithCounter)
        .isCloseTo(figure("commitRequestCpuUs") + figure("counterRowCpuUs"), within(2.0));
  }

  @Test
  void aCounterIsWhatChangesCostLessInRegionsOfFewDirectories() throws IOException, InputException {
    double requestWithCounter = figure("commitRequestCpuUs") + figure("counterRowCpuUs");
    double group = GROUPS.group(128);
    double lessRequests = 1 / GROUPS.group(1024) - 1 / group;
    double lessCounters =
        SharedRequests.distinct(256, 64) / 64 - SharedRequests.distinct(32, group) / group;
    double sum = 0;
    List<String> runs = List.of("f3bb4556", "0c177ac0", "e156bf4a", "ae0aa00a");
    List<String> changes = List.of("create", "mkdir", "delete");
    for (String run : runs) {
      MeasuredTable table = MeasuredTable.of("giraffa.json", "2026-11-23", run);
      for (String change : changes) {
        double less = table.cpuUs(change, 1) - table.cpuUs(change, 8);
        sum += (less - requestWithCounter * lessRequests) / (lessCounters - lessRequests);
      }
    }
    assertThat(sum / runs.size() / changes.size())
        .isCloseTo(figure("counterRowCpuUs"), within(2.0));
  }

  /** What more workers save one pair, whose requests are full in any case, is not the requests'. */
  @Test
  void aReadRequestIsWhatFewWorkersCostMore() throws IOException, InputException {
    double one = 1 / GROUPS.group(128) - 1 / GROUPS.group(512);
    double eight = 1 / GROUPS.group(16) - 1 / GROUPS.group(64);
    double cost = (STAT_8[0] - STAT_8[1] - (STAT_1[0] - STAT_1[1])) / (eight - one);
    assertThat(cost).isCloseTo(figure("readRequestCpuUs"), within(2.0));
  }

  private static double figure(String name) throws IOException, InputException {
    return CostsReader.of(MeasuredTable.RESULTS).figure(name);
  }
}
