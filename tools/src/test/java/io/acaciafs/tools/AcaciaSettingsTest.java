package io.acaciafs.tools;

import static org.assertj.core.api.Assertions.assertThat;

import io.acaciafs.namenode.settings.AcaciaSettings;
import io.acaciafs.namenode.store.Engines;
import io.acaciafs.settings.Setting;
import io.acaciafs.settings.SettingGroup;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Acacia's settings are declared well, are on the page for people, and no command gets bad ones.
 */
class AcaciaSettingsTest {
  private static final Path PAGE = Path.of("../docs/configuration.md");

  /** Where the test writes the expected page. */
  private static final Path MADE = Path.of("target/configuration.md");

  private static final String BEGIN =
      "<!-- From here to the end mark the page is made by AcaciaSettingsTest. -->\n";
  private static final String END = "<!-- End mark. -->\n";

  private final AcaciaSettings settings = new AcaciaSettings(Engines.all());

  @Test
  void thePageSaysTheSame() throws IOException {
    String page = Files.readString(PAGE);
    int begin = page.indexOf(BEGIN) + BEGIN.length();
    int end = page.indexOf(END);
    assertThat(begin).as("The marks in %s", PAGE).isBetween(BEGIN.length(), end);
    Files.writeString(MADE, page.substring(0, begin) + tables() + page.substring(end));
    assertThat(PAGE).as("Copy tools/%s to docs", MADE).hasContent(Files.readString(MADE));
  }

  private String tables() {
    StringBuilder tables = new StringBuilder();
    for (SettingGroup group : settings.groups()) {
      tables
          .append("\n### ")
          .append(group.title())
          .append("\n\n| setting | default | allowed | meaning |\n|---|---|---|---|\n");
      for (Setting<?> setting : group.settings()) {
        tables.append(
            String.format(
                "| `%s` | %s | %s | %s |%n",
                setting.name(), setting.defaultText(), setting.allowed(), setting.meaning()));
      }
    }
    return tables.append("\n").toString();
  }

  @Test
  void namesAreAcaciasAndDefaultsAreAllowed() {
    assertThat(settings.all()).hasSizeGreaterThan(30);
    assertThat(settings.all())
        .extracting(Setting::name)
        .doesNotHaveDuplicates()
        .allMatch(name -> name.matches("acacia(\\.[a-z-]+)+"));
    for (Setting<?> setting : settings.all()) {
      String text = setting.defaultText();
      Object value = setting.in(name -> null);
      if (value != null && !text.contains(" ")) {
        assertThat(setting.in(name -> text)).as(setting.name()).isEqualTo(value);
      }
    }
  }

  @Test
  void refusesEachWithASentence() {
    Configuration conf = new Configuration(false);
    conf.set("acacia.rpc.io.threads", "0");
    conf.set("acacia.rocksdb.log.size", "${acacia.rpc.io.threads}k");
    assertThat(refusal(conf))
        .contains(
            "acacia.rocksdb.log.size is 0k; it must be a number of bytes such as 4096 or 64m, at"
                + " least 1m. acacia.rpc.io.threads is 0; it must be a number of threads, at least"
                + " 1");
  }

  private Optional<String> refusal(Configuration conf) {
    try {
      settings.check(conf);
      return Optional.empty();
    } catch (IOException e) {
      return Optional.of(e.getMessage());
    }
  }

  @Test
  void namesWhatLooksLikeASetting() {
    Configuration conf = new Configuration(false);
    conf.set("acacia.rpc.io.threads", "2");
    assertThat(settings.warning(conf)).isEmpty();
    conf.set("acacia.rpc.io.thread", "2");
    conf.set("acacia.audit", "2");
    assertThat(settings.warning(conf))
        .contains(
            "Settings that are not known here: acacia.audit, acacia.rpc.io.thread. See"
                + " docs/configuration.md");
  }

  @ParameterizedTest
  @CsvSource({
    "namenode, 1",
    "format, 1",
    "check, 255",
    "status, 1",
    "bootstrap, 1",
    "backup to, 1",
    "restore from, 1",
  })
  void noCommandBegins(String command, int exitCode, @TempDir Path folder) {
    List<String> arguments = new ArrayList<>(Arrays.asList(command.split(" ")));
    for (String setting :
        List.of(
            "dfs.namenode.name.dir=" + folder.resolve("name").toUri(),
            "fs.defaultFS=hdfs://127.0.0.1:0",
            "acacia.sweep.interval=soon")) {
      arguments.addAll(List.of("-D", setting));
    }
    PrintStream stderr = System.err;
    ClassLoader loader = Thread.currentThread().getContextClassLoader();
    ByteArrayOutputStream said = new ByteArrayOutputStream();
    System.setErr(new PrintStream(said, true, StandardCharsets.UTF_8));
    try {
      assertThat(Acacia.run(arguments.toArray(String[]::new))).isEqualTo(exitCode);
    } finally {
      System.setErr(stderr);
      Thread.currentThread().setContextClassLoader(loader);
    }
    assertThat(said.toString(StandardCharsets.UTF_8).lines())
        .filteredOn(line -> line.startsWith("acacia: ") || line.startsWith("\tat "))
        .containsExactly(
            "acacia: acacia.sweep.interval is soon; it must be a time such as 500ms, 10s or 5m, at"
                + " least 1ms");
    assertThat(folder).isEmptyDirectory();
  }
}
