package io.acaciafs.systemtests.harness;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.logging.Level;
import java.util.stream.Stream;
import org.openqa.selenium.By;
import org.openqa.selenium.TimeoutException;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.logging.LogType;
import org.openqa.selenium.support.ui.WebDriverWait;

/**
 * Chromium without a window at the pages of NameNodes. Buttons and fields are found by what a
 * viewer reads. Not thread-safe.
 */
public final class Browser implements AutoCloseable {
  private static final Duration LIMIT = Duration.ofSeconds(40);
  private static final Path SCREENSHOTS = Path.of(System.getProperty("acacia.screenshots"));
  private static final List<Integer> WIDTHS = List.of(390, 1280, 2560);
  private static final int HEIGHT = 900;
  private static final int TALLEST = 4000;

  /** Looks at the page that is open. */
  @FunctionalInterface
  public interface Look {
    void at(String page) throws IOException;
  }

  private final ChromeDriver driver;
  private final Path downloads;

  private Browser(ChromeDriver driver, Path downloads) {
    this.driver = driver;
    this.downloads = downloads;
  }

  /** Whether there are Chromium and its driver. */
  public static boolean isInstalled() {
    return Chromium.isInstalled();
  }

  /**
   * Skips the test where Chromium or its driver is not installed.
   *
   * @param folder for its profile and logs
   */
  public static Browser startOrSkip(Path folder) throws IOException {
    return startOrSkip(folder, Map.of());
  }

  /**
   * The same with tickets.
   *
   * @param environment the variables by which the browser has them
   */
  public static Browser startOrSkip(Path folder, Map<String, String> environment)
      throws IOException {
    assumeTrue(
        isInstalled(), "Chromium and chromedriver are not installed: the pages were not looked at");
    Path downloads = Files.createTempDirectory(folder, "downloads-").toAbsolutePath();
    return new Browser(Chromium.start(folder, downloads, environment), downloads);
  }

  /**
   * Opens a page and waits until it shows something.
   *
   * @param url with the name of the page behind a hash
   */
  public Browser open(String url) {
    driver.get("about:blank"); // another hash alone would not be another page
    driver.get(url);
    await("return document.getElementById('main')?.dataset.page");
    return this;
  }

  /** What the page is made of now. */
  public String html() {
    return driver.getPageSource();
  }

  /** What a viewer reads. */
  public String text() {
    return String.valueOf(run("return document.body.innerText"));
  }

  /** Waits until the page says so. */
  public Browser awaitText(String text) {
    await("return document.body.innerText.includes(arguments[0])", text);
    return this;
  }

  /** Waits until the page is made of this. */
  public Browser awaitHtml(String html) {
    await("return document.documentElement.outerHTML.includes(arguments[0])", html);
    return this;
  }

  /** Runs a script in the page. */
  public Object run(String script, Object... arguments) {
    return driver.executeScript(script, arguments);
  }

  /** Waits until a script gives something that holds. */
  public void await(String script, Object... arguments) {
    try {
      new WebDriverWait(driver, LIMIT)
          .until(
              any -> {
                Object value = run(script, arguments);
                return value != null && !value.equals(false) && !value.equals("");
              });
    } catch (TimeoutException e) {
      throw new AssertionError(
          "never: " + script + " " + Arrays.toString(arguments) + " on " + text(), e);
    }
  }

  /** Presses the button with that text or label, of the dialog where one is open. */
  public Browser press(String name) {
    await(
        "const root = document.querySelector('dialog[open], .actions') || document;"
            + "const found = [...root.querySelectorAll('button')].find(each =>"
            + " (each.getAttribute('aria-label') || each.textContent) === arguments[0]);"
            + "found?.click(); return !!found",
        name);
    return this;
  }

  /** Chooses what is to be done with an entry of a table. */
  public Browser choose(String entry, String action) {
    return press("Actions: " + entry).press(action);
  }

  /** Fills a field of the dialog. */
  public Browser fill(String name, Object value) {
    String field = "dialog[open] [name='" + name + "']";
    await("return document.querySelector(arguments[0])", field);
    if (value instanceof Path file) {
      driver.findElement(By.cssSelector(field)).sendKeys(file.toAbsolutePath().toString());
    } else {
      run(
          "const field = document.querySelector(arguments[0]);"
              + "field[field.type === 'checkbox' ? 'checked' : 'value'] = arguments[1]",
          field,
          value);
    }
    return this;
  }

  /** Presses the button that ends the dialog, and waits for what the page says then. */
  public Browser confirm(String button, String notice) {
    press(button);
    try {
      await("return !document.querySelector('dialog[open]')");
    } catch (AssertionError e) {
      throw new AssertionError(
          "the dialog stays: " + run("return document.querySelector('dialog').innerText"), e);
    }
    await("return document.getElementById('notice').innerText.includes(arguments[0])", notice);
    return this;
  }

  /** Sends keys to what has the focus. */
  public Browser type(CharSequence... keys) {
    driver.switchTo().activeElement().sendKeys(keys);
    return this;
  }

  /** Asks for files as this user from now on. */
  public Browser as(String user) {
    run("sessionStorage.setItem('acacia.user', arguments[0])", user);
    return this;
  }

  /** The files that the browser has kept. */
  public List<Path> downloaded() throws IOException {
    if (!Files.exists(downloads)) {
      return List.of();
    }
    try (Stream<Path> files = Files.list(downloads)) {
      return files.filter(each -> !each.toString().endsWith("download")).toList();
    }
  }

  /** From now on the browser sends this to that address. */
  public Browser withCookie(String url, String name, String value) {
    driver.executeCdpCommand("Network.setCookie", Map.of("url", url, "name", name, "value", value));
    return this;
  }

  /** What the browser complains of, without answers that are no success. */
  public List<String> complaints() {
    return driver.manage().logs().get(LogType.BROWSER).getAll().stream()
        .filter(entry -> entry.getLevel().intValue() >= Level.WARNING.intValue())
        .map(entry -> entry.getMessage())
        .filter(message -> !message.contains("Failed to load resource"))
        .toList();
  }

  /**
   * Fails where the page keeps people out that see or move otherwise, by axe-core, in any width,
   * light or dark, or where it is wider than the window; keeps pictures.
   */
  public void look(String name) throws IOException {
    for (boolean isDark : List.of(false, true)) {
      for (int width : WIDTHS) {
        String picture = name + "-" + width + (isDark ? "-dark" : "-light");
        show(width, HEIGHT, isDark);
        assertThat(run("return document.documentElement.scrollWidth - innerWidth"))
            .as("%s is not wider than its window", picture)
            .satisfies(more -> assertThat(((Number) more).longValue()).isNotPositive());
        if (width == WIDTHS.get(1) || width < WIDTHS.get(1) && !isDark) { // the rest is as these
          assertThat(violations()).as(picture).isEmpty();
        }
        photograph(SCREENSHOTS.resolve(picture + ".png"), width);
      }
    }
    show(WIDTHS.get(1), HEIGHT, false);
  }

  /** Fails as {@link #look} does, in the window as it is; keeps one picture. */
  public void glance(String name) throws IOException {
    assertThat(violations()).as(name).isEmpty();
    photograph(SCREENSHOTS.resolve(name + ".png"), WIDTHS.get(1));
  }

  /**
   * Opens all pages that a NameNode offers, one after the other: each shows something, and neither
   * the page nor the browser complains.
   *
   * @param url of the NameNode, with a slash at its end
   * @param look at each, by its name
   */
  public void passAllPages(String url, Look look) throws IOException {
    open(url + "index.html");
    List<?> pages =
        (List<?>)
            run(
                "return [...document.querySelectorAll('#nav li:not([hidden]) a')]"
                    + ".map(each => each.getAttribute('href'))");
    assertThat(pages).isNotEmpty();
    for (Object page : pages) {
      open(url + "index.html" + page);
      await("return document.querySelector('main h2')");
      assertThat(run("return document.getElementById('problem').hidden"))
          .as("%s: %s", page, run("return document.getElementById('problem').textContent"))
          .isEqualTo(true);
      assertThat(text()).as("%s", page).doesNotContain("undefined", "NaN");
      look.at(String.valueOf(page).replaceAll("\\W+", ""));
      assertThat(complaints()).as("%s", page).isEmpty();
    }
  }

  private void show(int width, int height, boolean isDark) {
    driver.executeCdpCommand(
        "Emulation.setEmulatedMedia",
        Map.of(
            "features",
            List.of(Map.of("name", "prefers-color-scheme", "value", isDark ? "dark" : "light"))));
    driver.executeCdpCommand(
        "Emulation.setDeviceMetricsOverride",
        Map.of("width", width, "height", height, "deviceScaleFactor", 1, "mobile", false));
  }

  /** The whole page, not only what fits into the window. */
  private void photograph(Path target, int width) throws IOException {
    Files.createDirectories(SCREENSHOTS);
    long height = (Long) run("return document.documentElement.scrollHeight");
    Map<String, Object> clip =
        Map.of("x", 0, "y", 0, "width", width, "height", Math.min(height, TALLEST), "scale", 1);
    Object data =
        driver
            .executeCdpCommand(
                "Page.captureScreenshot",
                Map.of("format", "png", "captureBeyondViewport", true, "clip", clip))
            .get("data");
    Files.write(target, Base64.getDecoder().decode(String.valueOf(data)));
  }

  private List<String> violations() throws IOException {
    if (run("return typeof axe").equals("undefined")) {
      run(axe());
    }
    Object found =
        driver.executeAsyncScript(
            "const done = arguments[0];"
                + "axe.run().then(all => done(all.violations"
                + ".filter(each => ['serious', 'critical'].includes(each.impact))"
                + ".map(each => each.id + ': ' + each.nodes.map(node => node.html).join(' '))),"
                + " e => done([String(e)]))");
    return Stream.of((List<?>) found).flatMap(List::stream).map(String::valueOf).toList();
  }

  private static String axe() throws IOException {
    try (InputStream script = Browser.class.getResourceAsStream("/axe.min.js")) {
      return new String(Objects.requireNonNull(script).readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  @Override
  public void close() {
    driver.quit();
  }
}
