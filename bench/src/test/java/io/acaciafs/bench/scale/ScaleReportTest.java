package io.acaciafs.bench.scale;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.acaciafs.bench.compare.Machine;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ScaleReportTest {
  private static final Machine MACHINE =
      new Machine(LocalDate.of(2026, 1, 2), "1", "a processor", 2, 0.1, 0.5);

  private final ScaleReport report =
      new ScaleReport(
          ScalePlanTest.plan(1, 3, 1, 2),
          "control groups",
          List.of(
              point(1, 1, 400, 0.2, 0.1, 200),
              point(1, 1, 90, 0.2, 0.1, 200),
              point(1, 1, 100, 0.95, 0.1, 200),
              point(2, 2, 190, 0.5, 0.9, 250)),
          List.of(new ScaleReport.Cut(2, 3, 400, List.of())));

  @Test
  void jsonHasTheRatesAndWhatLimitedThem() throws Exception {
    JsonNode json = new ObjectMapper().readTree(report.json());
    assertThat(json.at("/servers").toString()).isEqualTo("[1,2]");
    assertThat(json.at("/ops_per_second/stat").toString()).isEqualTo("[100,190]");
    assertThat(json.at("/limited_by/stat").toString())
        .isEqualTo("[\"the servers\",\"the client\"]");
    assertThat(json.at("/servers_cpu_us_per_operation/stat").toString()).isEqualTo("[70,70]");
    assertThat(json.at("/cpu_us_of_a_piece_of_work/stat").toString()).isEqualTo("[200,250]");
    assertThat(json.at("/worth_of_a_cpu_second").toString()).isEqualTo("[1.0,0.8]");
    assertThat(json.at("/longest_call_while_cut_ms").toString()).isEqualTo("[400]");
  }

  @Test
  void onePairIsShownAsItWasBesideTheMostAndKeptOfEachTurn() throws Exception {
    ScaleReport inTurn =
        new ScaleReport(
            ScalePlanTest.plan(8, 1, 1, 2, 8),
            "control groups",
            List.of(
                point(2, 1, 100, 1, 0.1, 300),
                point(2, 2, 200, 1, 0.1, 310),
                point(8, 1, 150, 1, 0.1, 200),
                point(8, 8, 1200, 1, 0.1, 210)),
            List.of());
    JsonNode json = new ObjectMapper().readTree(inTurn.json());
    assertThat(json.at("/ops_per_second/stat").toString()).isEqualTo("[150,200,1200]");
    JsonNode onePair = json.at("/one_pair_in_turn_with_the_others");
    assertThat(onePair.at("/ops_per_second/stat").toString()).isEqualTo("[100,150]");
    assertThat(onePair.at("/cpu_us_of_a_piece_of_work/stat").toString()).isEqualTo("[300,200]");
  }

  @Test
  void thePageGetsATableAndAPicture(@TempDir Path folder) throws Exception {
    Path page = folder.resolve("page.md");
    Files.writeString(
        page,
        "before\n<!-- written by bench/giraffa: begin -->\n<!-- written by bench/giraffa: end -->\n");
    report.writeTo(page, MACHINE);
    assertThat(Files.readString(page))
        .startsWith("before")
        .contains("| stat | 100 | 190 | 1.9 | 2.4 | the servers, the client |")
        .contains("| stat | 70 | 70 |")
        .contains("| *worth of a CPU second* | 100 % | 80 % |")
        .contains("1 NameNode without a limit")
        .contains("Medians of 3 rounds.")
        .contains("![giraffa](giraffa.svg)");
    assertThat(Files.readString(folder.resolve("giraffa.svg"))).contains("<svg").contains("stat");
  }

  private static ScaleReport.Measured point(
      int cutFor, int servers, double rate, double used, double client, double workMicros) {
    return new ScaleReport.Measured(
        cutFor,
        new ScalePoint(
            servers,
            "stat",
            rate,
            new ScalePoint.Processors(used, client, 0.5, 70, workMicros),
            10,
            List.of()));
  }
}
