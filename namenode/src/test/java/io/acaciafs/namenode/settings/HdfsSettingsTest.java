package io.acaciafs.namenode.settings;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.Collectors;
import javax.xml.parsers.DocumentBuilderFactory;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.w3c.dom.NodeList;

/** The list of HDFS's settings is whole, and the page that people read says the same. */
class HdfsSettingsTest {
  private static final Path PAGE = Path.of("../docs/hdfs-settings.md");

  /** Where the test writes the expected page. */
  private static final Path MADE = Path.of("target/hdfs-settings.md");

  private final HdfsSettings settings = HdfsSettings.read();

  private static TreeSet<String> namesIn(String resource) throws Exception {
    TreeSet<String> names = new TreeSet<>();
    try (InputStream xml = Configuration.class.getClassLoader().getResourceAsStream(resource)) {
      NodeList found =
          DocumentBuilderFactory.newInstance()
              .newDocumentBuilder()
              .parse(xml)
              .getElementsByTagName("name");
      for (int i = 0; i < found.getLength(); i++) {
        names.add(found.item(i).getTextContent().trim());
      }
    }
    return names;
  }

  @ParameterizedTest
  @ValueSource(strings = {"hdfs-default.xml", "core-default.xml"})
  void everySettingOfHdfsIsJudged(String resource) throws Exception {
    TreeSet<String> names = namesIn(resource);
    assertThat(names).hasSizeGreaterThan(400);
    assertThat(names).filteredOn(name -> settings.find(name).isEmpty()).isEmpty();
  }

  @Test
  void aLineOfItsOwnCountsBeforeAPattern() {
    assertThat(settings.find("dfs.encrypt.data.transfer").orElseThrow().verdict())
        .isEqualTo(Verdict.HONOURED);
    assertThat(settings.find("dfs.encrypt.data.transfer.cipher.suites").orElseThrow().verdict())
        .isEqualTo(Verdict.ELSEWHERE);
    assertThat(settings.find("ipc.8020.backoff.enable").orElseThrow().verdict())
        .isEqualTo(Verdict.WARNED);
    assertThat(settings.find("dfs.namenode.no.such.thing")).isEmpty();
  }

  @Test
  void thePageSaysTheSame() throws IOException {
    Files.writeString(MADE, page());
    assertThat(PAGE).as("Copy namenode/%s to docs", MADE).hasContent(Files.readString(MADE));
  }

  private String page() {
    return """
    # HDFS's settings, one by one

    How Acacia's NameNode treats each setting of `hdfs-default.xml` and `core-default.xml` of HDFS 3.5.
    [configuration.md](configuration.md) describes the honoured settings and their defaults. This page comes
    from the list that the NameNode reads at its start (`hdfs-settings.txt`); a test compares the two.

    ## Honoured

    These settings mean the same as in HDFS.

    """
        + table(Verdict.HONOURED, "remark")
        + """

        ## Refused

        These settings promise protection that Acacia does not give. If the configuration asks for one of them,
        the NameNode does not start, and `acacia format` does not format. The message says what to do.

        """
        + refused()
        + """

        ## Not followed

        HDFS's NameNode follows these settings and Acacia's does not. If a site's files set some to a value other than
        the default, the start names them in one warning. The warning also names settings that HDFS 3.5 does not have
        and that begin with `dfs.namenode.`, `dfs.permissions.`, `dfs.protected.`, `fs.protected.` or `hadoop.security.`,
        because they may be misspelled.

        """
        + table(Verdict.WARNED, "instead, or why")
        + """

        ## Settings of other programs

        No NameNode reads these settings, or they are details of a setting above.

        """
        + table(Verdict.ELSEWHERE, "read by");
  }

  private String refused() {
    StringBuilder rows =
        new StringBuilder("| setting | may be | what would be missing |\n|---|---|---|\n");
    for (HdfsSetting setting : of(Verdict.REFUSED)) {
      rows.append("| `").append(setting.key()).append("` | ");
      rows.append(
          setting.harmless().isEmpty()
              ? "empty"
              : setting.harmless().stream()
                  .map(value -> "`" + value + "`")
                  .collect(Collectors.joining(", ")));
      rows.append(" | ").append(setting.remark()).append(" |\n");
    }
    return rows.toString();
  }

  /** Neighbours of which the same is said share a row. */
  private String table(Verdict verdict, String title) {
    StringBuilder rows = new StringBuilder("| setting | " + title + " |\n|---|---|\n");
    List<String> keys = new ArrayList<>();
    List<HdfsSetting> all = of(verdict);
    for (int i = 0; i < all.size(); i++) {
      keys.add("`" + all.get(i).key() + "`");
      String remark = all.get(i).remark();
      if (i + 1 == all.size() || !all.get(i + 1).remark().equals(remark)) {
        rows.append("| ")
            .append(String.join(", ", keys))
            .append(" | ")
            .append(remark)
            .append(" |\n");
        keys.clear();
      }
    }
    return rows.toString();
  }

  private List<HdfsSetting> of(Verdict verdict) {
    return settings.all().stream().filter(setting -> setting.verdict() == verdict).toList();
  }
}
