package io.acaciafs.systemtests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.acaciafs.systemtests.harness.Distribution;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What can be said of the packages without installing them. {@code packaging/deb/test}, {@code
 * packaging/image/test} and {@code packaging/audit/test} do the rest by hand.
 */
class PackagesTest {
  private static final Path HOME = Path.of(System.getProperty("acacia.home"));
  private static final int SKIPPED = 77;

  @TempDir private static Path shared;
  private static Path dist;

  @TempDir private Path folder;

  private record Result(int code, String text) {}

  @BeforeAll
  static void makeDistribution() throws Exception {
    dist = shared.resolve("dist");
    Distribution.make(dist);
  }

  @Tag("long")
  @Test
  void theDebianPackageHasTheSameBytesTwice() throws Exception {
    assumeTrue(has("dpkg-deb"), "dpkg-deb is missing");
    String made = dist.toString();
    String first = succeeds(script("packaging/deb/build"), made).strip();
    byte[] bytes = Files.readAllBytes(Path.of(first));
    assertThat(succeeds(script("packaging/deb/build"), made).strip()).isEqualTo(first);
    assertThat(Arrays.equals(bytes, Files.readAllBytes(Path.of(first)))).isTrue();

    assertThat(succeeds("dpkg-deb", "--field", first))
        .contains("Package: acacia\n", "Architecture: all\n", "Depends: openjdk-17-jre-headless");
    String contents = succeeds("dpkg-deb", "--contents", first);
    assertThat(contents)
        .contains(
            "./lib/systemd/system/acacia-namenode.service\n",
            "./usr/bin/acacia -> /usr/share/acacia/bin/acacia\n",
            "./usr/share/acacia/conf -> /etc/acacia\n",
            "./usr/share/doc/acacia/docs/install.md\n");
    assertThat(contents.lines()).allMatch(line -> line.contains(" root/root "));
    assertThat(contents).as("dpkg would remove it").doesNotContain("./var/");
    Path control = folder.resolve("control");
    succeeds("dpkg-deb", "--control", first, control.toString());
    assertThat(control.resolve("conffiles"))
        .hasContent(
            """
            /etc/acacia/core-site.xml
            /etc/acacia/environment
            /etc/acacia/hdfs-site.xml
            /etc/acacia/log4j.properties
            """);
  }

  @Test
  void nativeLibrariesAreOfLinuxAlone() throws Exception {
    List<String> libraries;
    try (Stream<Path> jars = Files.list(dist.resolve("lib"))) {
      libraries =
          jars.filter(jar -> jar.toString().endsWith(".jar"))
              .flatMap(jar -> entries(jar).stream())
              .filter(name -> name.matches(".*\\.(so|dll|jnilib|dylib)"))
              .toList();
    }
    assertThat(libraries)
        .contains("librocksdbjni-linux64.so", "librocksdbjni-linux-aarch64.so")
        .allMatch(name -> name.matches("(?i).*linux.*|.*native_epoll.*|.*io_uring.*"))
        .noneMatch(name -> name.matches("(?i).*(musl|riscv|s390|ppc|32|android|armv?[67]?/).*"));
  }

  @Test
  void theSbomHasEachJarWithItsVersionHashAndLicence() throws Exception {
    Path file = dist.resolve("sbom.cdx.json");
    assumeTrue(Files.exists(file), "Maven makes no SBOM offline");
    checkSbom(new ObjectMapper().readTree(file.toFile()));
  }

  private static void checkSbom(JsonNode sbom) throws IOException {
    assertThat(sbom.get("bomFormat").asText()).isEqualTo("CycloneDX");
    assertThat(sbom.get("specVersion").asText()).isEqualTo("1.6");
    Map<String, JsonNode> described = byFile(sbom.get("components"));
    assertThat(described).hasSameSizeAs(sbom.get("components"));
    Set<String> shipped = new HashSet<>();
    try (DirectoryStream<Path> jars = Files.newDirectoryStream(dist.resolve("lib"), "*.jar")) {
      for (Path jar : jars) {
        String file = "lib/" + jar.getFileName();
        shipped.add(file);
        JsonNode component = described.get(file);
        assertThat(component).as(file).isNotNull();
        assertThat(file).contains("/" + component.get("name").asText() + "-");
        assertThat(file).contains("-" + component.get("version").asText());
        assertThat(component.get("licenses")).as("licences of " + file).isNotEmpty();
        assertThat(component.get("hashes"))
            .as("hashes of " + file)
            .anyMatch(hash -> hash.get("alg").asText().equals("SHA-256"))
            .filteredOn(hash -> hash.get("alg").asText().equals("SHA-256"))
            .allMatch(hash -> hash.get("content").asText().equals(sha256(jar)));
      }
    }
    assertThat(described.keySet()).isEqualTo(shipped);
  }

  private static String sha256(Path file) {
    try {
      return HexFormat.of()
          .formatHex(MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(file)));
    } catch (IOException | NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void theChartIsSound() throws Exception {
    Result result = run(script("packaging/chart/test"));
    assumeTrue(result.code != SKIPPED, () -> lastLine(result.text));
    assertThat(result.code).as(result.text).isZero();
  }

  private static String lastLine(String text) {
    return text.substring(text.strip().lastIndexOf('\n') + 1).strip();
  }

  private static Map<String, JsonNode> byFile(JsonNode components) {
    Map<String, JsonNode> files = new HashMap<>();
    for (JsonNode component : components) {
      for (JsonNode property : component.get("properties")) {
        if (property.get("name").asText().equals("acacia:file")) {
          assertThat(files.put(property.get("value").asText(), component)).isNull();
        }
      }
    }
    return files;
  }

  private static List<String> entries(Path jar) {
    try (ZipFile zip = new ZipFile(jar.toFile())) {
      return zip.stream().map(ZipEntry::getName).toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String script(String name) {
    return HOME.resolve(name).toString();
  }

  private static boolean has(String program) {
    return Stream.of(System.getenv("PATH").split(File.pathSeparator))
        .anyMatch(path -> Files.isExecutable(Path.of(path, program)));
  }

  private String succeeds(String... command) throws IOException, InterruptedException {
    Result result = run(command);
    assertThat(result.code).as(result.text).isZero();
    return result.text;
  }

  /** With results in a folder of this test. */
  private Result run(String... command) throws IOException, InterruptedException {
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.environment().put("ACACIA_TARGET", folder.resolve("target").toString());
    Path errors = folder.resolve("errors");
    Process process = builder.redirectError(errors.toFile()).start();
    String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    int code = process.waitFor();
    return new Result(code, code == 0 ? text : Files.readString(errors) + text);
  }
}
