package io.acaciafs.tools;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Pages lead to each other, and have the form that CONTRIBUTING.md asks for. */
class PagesTest {
  private static final Path PROJECT = Path.of("..");
  private static final Path DECISIONS = PROJECT.resolve("docs/decisions");
  private static final Path INTERNALS = PROJECT.resolve("docs/internals");
  private static final Path RESULTS = PROJECT.resolve("bench/results");
  private static final int MOST_WORDS_OF_A_DECISION = 300;

  private static final Pattern CODE = Pattern.compile("```.*?```", Pattern.DOTALL);
  private static final Pattern LINK = Pattern.compile("\\]\\(([^)\\s]+)\\)");
  private static final Pattern HEADING = Pattern.compile("^#+ (.*)$", Pattern.MULTILINE);
  private static final Pattern PLACE = Pattern.compile("<a id=\"([^\"]+)\"");
  private static final Pattern PAGE_IN_CODE = Pattern.compile("docs/[a-z/-]+\\.md");

  private static final Pattern NUMBERED = Pattern.compile("\\d{3}-.*\\.md");

  @Test
  void linksLeadToPagesAndHeadings() throws IOException {
    for (Path page : pages()) {
      String text = CODE.matcher(read(page)).replaceAll("");
      for (MatchResult link : LINK.matcher(text).results().toList()) {
        if (!link.group(1).startsWith("http")) {
          assertLeads(page, link.group(1));
        }
      }
    }
  }

  private static void assertLeads(Path page, String link) {
    String[] parts = link.split("#", 2);
    Path target = parts[0].isEmpty() ? page : page.resolveSibling(parts[0]).normalize();
    assertThat(target).as("%s: %s", page, link).exists();
    if (parts.length == 2) {
      assertThat(places(target)).as("%s: %s", page, link).contains(parts[1]);
    }
  }

  /** What a link can lead to, as GitHub names it. */
  private static Set<String> places(Path page) {
    String text = CODE.matcher(read(page)).replaceAll("");
    Set<String> places = new TreeSet<>();
    PLACE.matcher(text).results().forEach(place -> places.add(place.group(1)));
    for (MatchResult heading : HEADING.matcher(text).results().toList()) {
      String words = heading.group(1).strip().toLowerCase(Locale.ROOT);
      places.add(words.replaceAll("[^a-z0-9_\\- ]", "").replace(' ', '-'));
    }
    return places;
  }

  @Test
  void pagesThatCodeNamesAreThere() throws IOException {
    Set<String> named = new TreeSet<>();
    try (Stream<Path> modules = Files.list(PROJECT)) {
      for (Path module : modules.filter(Files::isDirectory).toList()) {
        for (Path source : files(module.resolve("src"), ".java")) {
          PAGE_IN_CODE.matcher(read(source)).results().forEach(page -> named.add(page.group()));
        }
      }
    }
    assertThat(named).hasSizeGreaterThan(10);
    assertThat(named).allSatisfy(page -> assertThat(PROJECT.resolve(page)).exists());
  }

  @Test
  void decisionsAreShortAndSayWhetherTheyAreInForce() throws IOException {
    String index = read(DECISIONS.resolve("README.md"));
    List<Path> decisions =
        files(DECISIONS, ".md").stream()
            .filter(page -> NUMBERED.matcher(page.getFileName().toString()).matches())
            .toList();
    assertThat(decisions).hasSizeGreaterThan(30);
    for (Path decision : decisions) {
      String text = read(decision);
      assertThat(text)
          .as(decision.toString())
          .contains("**Status.** ", "**Context.** ", "**Decision.** ", "**Consequence.** ");
      assertThat(text.split("\\s+").length)
          .as(decision.toString())
          .isLessThanOrEqualTo(MOST_WORDS_OF_A_DECISION);
      assertThat(index).contains("(" + decision.getFileName() + ")");
    }
  }

  @Test
  void internalsAreListed() throws IOException {
    String index = read(INTERNALS.resolve("README.md"));
    for (Path page : files(INTERNALS, ".md")) {
      if (!page.endsWith("README.md")) {
        assertThat(index).contains("(" + page.getFileName() + ")");
      }
    }
  }

  private static List<Path> pages() throws IOException {
    return Stream.of(files(PROJECT.resolve("docs"), ".md"), files(RESULTS, ".md"), topPages())
        .flatMap(List::stream)
        .toList();
  }

  private static List<Path> topPages() throws IOException {
    try (Stream<Path> top = Files.list(PROJECT)) {
      return top.filter(page -> page.toString().endsWith(".md")).sorted().toList();
    }
  }

  private static List<Path> files(Path folder, String ending) throws IOException {
    if (!Files.isDirectory(folder)) {
      return List.of();
    }
    try (Stream<Path> files = Files.walk(folder)) {
      return files.filter(file -> file.toString().endsWith(ending)).sorted().toList();
    }
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }
}
