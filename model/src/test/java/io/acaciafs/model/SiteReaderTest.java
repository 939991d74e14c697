package io.acaciafs.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SiteReaderTest {
  private static final Path EXAMPLES = Path.of("../conf/model");
  private static final String SITE =
      """
      {"files": 1000, "directories": 10,
       "calls": {"perSecond": 100, "mix": {"stat": 3, "create": 1}},
       "clients": {"connected": 10, "writing": 2},
       "dataNodes": {"count": 4, "storages": 2},
       "machine": {"cores": 8, "memoryBytes": 1.6e10, "diskBytes": 1e12}}
      """;

  private static Site read(String text) throws IOException, InputException {
    return SiteReader.of("site.json", text, CostsReader.of(MeasuredTable.RESULTS).calls());
  }

  @Test
  void whatIsNotSaidHasADefault() throws IOException, InputException {
    Site site = read(SITE);
    assertThat(site.engine()).isEqualTo(Site.Engine.AUTO);
    assertThat(site.replication()).isEqualTo(3);
    assertThat(site.objects()).isEqualTo(2010);
    assertThat(site.calls().perSecond("create")).isEqualTo(25);
    assertThat(site.dataNodes().fullReportHours()).isEqualTo(6);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "\"files\": 1000, | '' | site.json: files is missing.",
        "\"files\": 1000 | \"files\": \"many\" | site.json: files must be a number, and is \"many\".",
        "\"files\": 1000 | \"files\": -1 | site.json: files must be from 1 to 1.0E18, and is -1.",
        "\"cores\": 8 | \"cores\": 2.5 | machine.cores must be a whole number, and is 2.5.",
        "\"stat\": 3 | \"stet\": 3 | calls.mix.stet is none of the calls",
        "\"stat\": 3, \"create\": 1 | \"stat\": 0 | calls.mix must have a call.",
        "\"writing\": 2 | \"writing\": 20 | clients.writing must be from 0 to 10, and is 20.",
        "\"storages\": 2 | \"storages\": 2, \"disks\": 3 | dataNodes.disks is not known.",
        "\"files\": 1000 | \"files\": 1000, \"engine\": \"mysql\" | engine must be one of auto, rocksdb, raft, hbase, and is mysql.",
        "\"files\": 1000 | \"files\": 1000, \"files\": 2 | site.json is no JSON: Duplicate field 'files'",
        "} | '' | site.json is no JSON",
      })
  void errorsNameTheField(String part, String instead, String error) {
    assertThat(SITE).contains(part);
    assertThatThrownBy(() -> read(SITE.replace(part, instead)))
        .isInstanceOf(InputException.class)
        .hasMessageContaining(error);
  }

  @Test
  void examplesAreRead() throws IOException, InputException {
    Costs costs = CostsReader.of(MeasuredTable.RESULTS);
    List<Path> examples;
    try (Stream<Path> files = Files.list(EXAMPLES)) {
      examples = files.toList();
    }
    assertThat(examples).hasSizeGreaterThan(3);
    for (Path example : examples) {
      Site site = SiteReader.read(example, costs.calls());
      assertThat(ReportText.of(Planner.plan(site, costs), costs)).contains(site.name());
    }
  }
}
