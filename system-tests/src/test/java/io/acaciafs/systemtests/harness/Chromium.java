package io.acaciafs.systemtests.harness;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.logging.Level;
import org.jspecify.annotations.Nullable;
import org.openqa.selenium.WebDriverException;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.chrome.ChromeDriverService;
import org.openqa.selenium.chrome.ChromeOptions;
import org.openqa.selenium.logging.LogType;
import org.openqa.selenium.logging.LoggingPreferences;

/** Starts Chromium without a window, and its driver, as the machine has them. */
final class Chromium {
  private static final List<String> NAMES =
      List.of("chromium", "chromium-browser", "google-chrome");
  private static final List<String> DRIVERS = List.of("chromedriver");
  private static final Duration PAGE_LIMIT = Duration.ofSeconds(60);
  private static final int ATTEMPTS = 3;
  private static final int LOG_TAIL = 2000;

  private Chromium() {}

  /** Whether there are Chromium and its driver. */
  static boolean isInstalled() {
    return find(NAMES) != null && find(DRIVERS) != null;
  }

  private static @Nullable File find(List<String> names) {
    return Arrays.stream(System.getenv("PATH").split(File.pathSeparator))
        .map(Path::of)
        .flatMap(directory -> names.stream().map(directory::resolve))
        .filter(Files::isExecutable)
        .map(Path::toFile)
        .findFirst()
        .orElse(null);
  }

  /**
   * Starts it. On a busy machine a start may fail, as when another program takes the port that was
   * free: it is tried anew, with a profile of its own.
   *
   * @param folder for its profiles and logs
   * @param downloads where the browser keeps files
   * @param environment its variables beyond those of the test, by which it may have tickets
   */
  static ChromeDriver start(Path folder, Path downloads, Map<String, String> environment)
      throws IOException {
    WebDriverException failure = null;
    String log = "";
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
      Path own = Files.createTempDirectory(folder, "chromium-");
      ChromeDriverService service = service(own, environment);
      try {
        return new ChromeDriver(service, options(own, downloads));
      } catch (WebDriverException e) {
        service.stop();
        failure = e;
        log = tail(own.resolve("chromedriver.log"));
      }
    }
    throw new AssertionError(
        "Chromium did not start, " + ATTEMPTS + " times; the driver's log ends with:\n" + log,
        failure);
  }

  private static ChromeDriverService service(Path own, Map<String, String> environment) {
    return new ChromeDriverService.Builder()
        .usingDriverExecutable(Objects.requireNonNull(find(DRIVERS)))
        .usingAnyFreePort()
        .withEnvironment(environment)
        .withLogFile(own.resolve("chromedriver.log").toFile())
        .build();
  }

  private static ChromeOptions options(Path own, Path downloads) {
    ChromeOptions options = new ChromeOptions();
    options.setBinary(Objects.requireNonNull(find(NAMES)));
    options.addArguments(
        "--headless=new",
        "--no-sandbox",
        "--disable-gpu",
        "--disable-dev-shm-usage",
        "--disable-quic",
        "--hide-scrollbars", // as telephones do: pictures are as wide as the window
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
        "--auth-server-allowlist=localhost",
        "--user-data-dir=" + own.resolve("profile"),
        "--window-size=1280,900");
    options.setExperimentalOption(
        "prefs", Map.of("download.default_directory", downloads.toString()));
    // else it shows no ticket to the first server that asks for one
    options.setExperimentalOption(
        "localState", Map.of("net.received_http_auth_negotiate_headers", true));
    options.setAcceptInsecureCerts(true);
    options.setPageLoadTimeout(PAGE_LIMIT);
    options.setScriptTimeout(PAGE_LIMIT);
    LoggingPreferences logs = new LoggingPreferences();
    logs.enable(LogType.BROWSER, Level.ALL);
    options.setCapability(ChromeOptions.LOGGING_PREFS, logs);
    return options;
  }

  private static String tail(Path log) throws IOException {
    String text = Files.exists(log) ? Files.readString(log) : "there is none";
    return text.substring(Math.max(0, text.length() - LOG_TAIL));
  }
}
