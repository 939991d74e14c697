package io.acaciafs.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class GrowthPlotsTest {
  @Test
  void aGrowingSiteGoesFromOneEngineToTheNext() throws IOException, InputException {
    Costs costs = CostsReader.of(MeasuredTable.RESULTS);
    Site site = SiteReader.read(Path.of("../conf/model/giraffa.json"), costs.calls());
    GrowthPlots plots = GrowthPlots.of(site, costs, 4);
    assertThat(plots.plans()).hasSize(25);
    assertThat(plots.plans().get(0).engine()).isEqualTo(Site.Engine.ROCKSDB);
    assertThat(plots.plans().get(24).engine()).isEqualTo(Site.Engine.HBASE);
    assertThat(plots.plans().get(24).site()).isEqualTo(site);
    assertThat(plots.servers()).contains("<svg", "region server", "servers needed");
    assertThat(plots.limits()).contains("<svg", "CPU for the first region");
  }
}
