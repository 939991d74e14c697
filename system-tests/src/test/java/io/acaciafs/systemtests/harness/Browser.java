package io.acaciafs.systemtests.harness;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** Chromium without a window. Not thread-safe. */
public final class Browser {
  private static final List<String> NAMES =
      List.of("chromium", "chromium-browser", "google-chrome");
  private static final int SETTLE_MS = 3000;
  private static final long LIMIT_SECONDS = 60;

  private final Path program;
  private final Path folder;

  private Browser(Path program, Path folder) {
    this.program = program;
    this.folder = folder;
  }

  /**
   * The one on the PATH.
   *
   * @param folder for its profile and logs
   * @return empty where none is installed
   */
  public static Optional<Browser> find(Path folder) {
    return Arrays.stream(System.getenv("PATH").split(java.io.File.pathSeparator))
        .map(Path::of)
        .flatMap(directory -> NAMES.stream().map(directory::resolve))
        .filter(Files::isExecutable)
        .findFirst()
        .map(program -> new Browser(program, folder));
  }

  /**
   * Opens a page and lets its scripts run for three seconds of their own time.
   *
   * @param screenshot where to put a picture of it
   * @return its HTML as it is then
   */
  public String open(String url, int width, int height, Path screenshot)
      throws IOException, InterruptedException {
    Files.createDirectories(screenshot.getParent());
    Path output = Files.createTempFile(folder, "page-", ".html");
    Process process =
        new ProcessBuilder(
                Stream.of(
                        program.toString(),
                        "--headless",
                        "--no-sandbox",
                        "--disable-gpu",
                        "--disable-dev-shm-usage",
                        "--no-first-run",
                        "--user-data-dir=" + folder.resolve("profile"),
                        "--virtual-time-budget=" + SETTLE_MS,
                        "--window-size=" + width + "," + height,
                        "--screenshot=" + screenshot.toAbsolutePath(),
                        "--dump-dom",
                        url)
                    .toList())
            .redirectOutput(output.toFile())
            .redirectError(folder.resolve("browser.log").toFile())
            .start();
    if (!process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)) {
      process.destroyForcibly();
      throw new AssertionError("the browser did not end, see " + folder.resolve("browser.log"));
    }
    return Files.readString(output, StandardCharsets.UTF_8);
  }
}
