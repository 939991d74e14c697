package io.acaciafs.tools;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.acaciafs.bench.compare.Contestant;
import io.acaciafs.bench.compare.Site;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** NameNodes that a benchmark starts. */
class BenchSiteTest {

  @Test
  void tellsWhyHadoopsNameNodeDidNotStart(@TempDir Path folder) throws Exception {
    Site site = Site.create(Contestant.HDFS, folder, List.of("-Xmx256m"), Map.of());
    assertThatThrownBy(() -> site.run(site.contestant().serve(), "output", Duration.ofMinutes(1)))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("A command ended with 1")
        .hasMessageContaining("is in an inconsistent state");
  }
}
