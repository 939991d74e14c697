package io.acaciafs.tools;

import static org.assertj.core.api.Assertions.assertThat;

import io.acaciafs.tools.hadoop.HadoopCommand;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/** What the pages for users name is there: commands, options, settings, texts of failures. */
class DocumentationTest {
  private static final Path PROJECT = Path.of("..");
  private static final Pattern COMMAND =
      Pattern.compile("(?:bin/|\\b)acacia(?: --config \\S+)? ([a-z][a-z-]*)([^`#|()]*)");
  private static final Pattern OPTION = Pattern.compile("(?<= )--?[a-zA-Z][a-zA-Z-]*");
  private static final Pattern SETTING = Pattern.compile("\"(acacia\\.[a-z.-]*[a-z])\"");
  private static final Pattern DOCUMENTED_SETTING = Pattern.compile("`(acacia\\.[a-z.-]*[a-z])`");

  /** Properties of the JVM, rows of a store and names that programs give each other. */
  private static final Set<String> NO_SETTINGS =
      Set.of(
          "acacia.backup",
          "acacia.export",
          "acacia.buckets",
          "acacia.format",
          "acacia.gateway.classpath",
          "acacia.hbase.classpath",
          "acacia.log",
          "acacia.log.console",
          "acacia.log.file",
          "acacia.log.layout",
          "acacia.owner",
          "acacia.raft.add",
          "acacia.raft.remove");

  /** Texts that Hadoop's clients and DataNodes add, or the operating system. */
  private static final Set<String> HADOOPS_TEXTS =
      Set.of(
          "Connection refused",
          "Could not obtain block",
          "The DiskSpace quota",
          "The NameSpace quota",
          "is exceeded",
          "Incompatible clusterIDs",
          "UnregisteredNodeException",
          "IncorrectVersionException",
          "NotReplicatedYetException",
          "OutOfMemoryError");

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private static List<Path> pages() throws IOException {
    try (Stream<Path> docs = Files.list(PROJECT.resolve("docs"));
        Stream<Path> internals = Files.list(PROJECT.resolve("docs/internals"))) {
      return Stream.of(docs, internals, Stream.of(PROJECT.resolve("README.md")))
          .flatMap(pages -> pages)
          .filter(page -> page.toString().endsWith(".md"))
          .sorted()
          .toList();
    }
  }

  /** What is between backquotes, or in a block of code. */
  private static List<String> code(String page) {
    List<String> pieces = new ArrayList<>();
    Matcher matcher = Pattern.compile("```.*?```|`[^`\n]+`", Pattern.DOTALL).matcher(page);
    while (matcher.find()) {
      String piece = matcher.group();
      pieces.addAll(piece.replace("`", "").lines().toList());
    }
    return pieces;
  }

  @Test
  void commandsAndTheirOptionsAreThere() throws IOException {
    Map<String, CommandLine> commands = Acacia.commandLine(new Acacia()).getSubcommands();
    int seen = 0;
    for (Path page : pages()) {
      for (String line : code(read(page))) {
        Matcher matcher = COMMAND.matcher(line);
        while (matcher.find()) {
          String name = matcher.group(1);
          assertThat(commands.keySet()).as("%s: %s", page, line).contains(name);
          seen++;
          if (HadoopCommand.of(name).isPresent()) {
            continue;
          }
          Set<String> options = options(commands.get(name));
          Matcher option = OPTION.matcher(matcher.group(2));
          while (option.find()) {
            assertThat(options).as("%s: %s", page, line).contains(option.group());
          }
        }
      }
    }
    assertThat(seen).isGreaterThan(30);
  }

  private static Set<String> options(CommandLine command) {
    Set<String> names = new TreeSet<>(command.getCommandSpec().optionsMap().keySet());
    command.getSubcommands().values().forEach(below -> names.addAll(options(below)));
    return names;
  }

  @Test
  void settingsAreAllDocumentedAndNoOthers() throws IOException {
    Set<String> read = new TreeSet<>();
    Matcher matcher = SETTING.matcher(sources());
    while (matcher.find()) {
      read.add(matcher.group(1));
    }
    read.removeAll(NO_SETTINGS);
    Set<String> documented = new TreeSet<>();
    matcher = DOCUMENTED_SETTING.matcher(read(PROJECT.resolve("docs/configuration.md")));
    while (matcher.find()) {
      documented.add(matcher.group(1));
    }
    assertThat(documented).isEqualTo(read);
  }

  /** The first column of the tables; three dots and single capitals stand for anything. */
  @Test
  void textsOfFailuresAreWhatIsSaid() throws IOException {
    String said = literals();
    int seen = 0;
    for (String row : read(PROJECT.resolve("docs/troubleshooting.md")).lines().toList()) {
      String[] cells = row.split("\\|");
      if (cells.length < 3) {
        continue;
      }
      for (String text : code(cells[1])) {
        for (String part : text.split("\\.\\.\\.|\\b[A-Z0-9]\\b")) {
          if (part.strip().length() > 5 && !HADOOPS_TEXTS.contains(part.strip())) {
            assertThat(said.contains(part.strip())).as("%s: %s", text, part).isTrue();
            seen++;
          }
        }
      }
    }
    assertThat(seen).isGreaterThan(30);
  }

  private static String sources() throws IOException {
    try (Stream<Path> modules = Files.list(PROJECT)) {
      return modules
              .map(module -> module.resolve("src/main/java"))
              .filter(Files::isDirectory)
              .flatMap(DocumentationTest::files)
              .map(DocumentationTest::read)
              .collect(Collectors.joining("\n"))
          + read(PROJECT.resolve("bin/acacia"));
    }
  }

  private static Stream<Path> files(Path folder) {
    try (Stream<Path> files = Files.walk(folder)) {
      return files.filter(file -> file.toString().endsWith(".java")).toList().stream();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  /** All that is between quotation marks, put together where the source does so. */
  private static String literals() throws IOException {
    return sources().replaceAll("\"\\s*\\+\\s*\"", "").replace("\\\"", "\"");
  }
}
