package io.acaciafs.systemtests.pages;

import static org.assertj.core.api.Assertions.assertThat;

import io.acaciafs.systemtests.harness.Await;
import io.acaciafs.systemtests.harness.Browser;
import io.acaciafs.systemtests.harness.Cluster;
import io.acaciafs.systemtests.harness.HadoopTool;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.SafeModeAction;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.openqa.selenium.Keys;

/** What the pages for operators show in a browser is what is there; the keyboard is enough. */
class ConsolePagesTest {
  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final String OPEN = "/<b>open</b>";
  private static final String SELF = System.getProperty("user.name");
  private static final int MORE_THAN_A_PAGE = 101;
  private static final String FOCUSED_ROW =
      "return [...document.querySelectorAll('tbody tr')]"
          + ".findIndex(each => each.contains(document.activeElement))";
  private static final String HANDLE = ".chart [role=slider]";
  private static final String READING =
      "document.querySelector('.chart .reading').textContent.replace(/\\u00a0/g, ' ')";

  @TempDir private static java.nio.file.Path folder;
  private static Cluster cluster;
  private static Browser browser;
  private static FSDataOutputStream open;

  @BeforeAll
  static void start() throws Exception {
    browser = Browser.startOrSkip(folder);
    cluster =
        Cluster.builder("console")
            .set("dfs.namenode.handler.count", "77") // which has no effect
            .set("fs.trash.interval", 60)
            .start();
    java.nio.file.Path log = folder.resolve("preparation.log");
    HadoopTool.runAll(cluster.folder().resolve("conf"), log, PageTour.preparation());
    open = cluster.fileSystem().create(new Path(OPEN));
    Await.until("a sample of the history", LIMIT, () -> get("history").contains("\"create\""));
  }

  @AfterAll
  static void stop() throws Exception {
    if (browser != null) {
      browser.close();
    }
    if (cluster != null) {
      open.close();
      cluster.close();
    }
  }

  private static String url() {
    return "http://127.0.0.1:" + cluster.httpPort() + "/";
  }

  private static String get(String page) throws Exception {
    HttpRequest request = HttpRequest.newBuilder(URI.create(url() + "api/" + page)).build();
    return HttpClient.newHttpClient().send(request, BodyHandlers.ofString()).body();
  }

  private static Browser open(String page) {
    return browser.open(url() + page);
  }

  private static void assertNothingIsWrong() {
    assertThat(browser.run("return document.getElementById('problem').hidden")).isEqualTo(true);
    assertThat(browser.complaints()).isEmpty();
  }

  @Test
  void everyPageShowsWhatIsThere() throws Exception {
    int port = cluster.dataNodes().get(0).getXferPort();
    PageTour.of("console", SELF, OPEN, "rocksdb", port).go(browser, url(), browser::look);
  }

  @Test
  void allThatCanBeDoneWithFilesHasItsEffect() throws Exception {
    cluster.fileSystem().mkdirs(new Path("/actions"));
    open("index.html#/files/").as(SELF);
    new FileActions(browser, url(), folder)
        .doAll(
            "/actions",
            "/user/" + SELF + "/.Trash",
            commands ->
                HadoopTool.runAll(
                    cluster.folder().resolve("conf"), folder.resolve("effects.log"), commands));
  }

  @Test
  void theHistoryIsDrawn() {
    open("index.html#/history").awaitHtml("<polyline");
    browser.await("return /create: [0-9.]+/.test(document.body.innerText)");
    assertThat(browser.html())
        .containsPattern("aria-label=\"Operations, a second: [^\"]*create [^\"]* at most")
        .containsPattern("<summary aria-label=\"Figures: Operations, [^\"]*\">Figures</summary>");
    browser.await(
        "const texts = of => [...document.querySelectorAll('.chart')[0].querySelectorAll(of)]"
            + ".map(each => each.textContent);"
            + "return texts('.values span')[0] === '0' && texts('.values span').length > 1"
            + " && texts('.times span').length > 2"
            + " && texts('.times span').every(each => /^[0-9]{2}:[0-9]{2}$/.test(each))");
    assertNothingIsWrong();
  }

  @Test
  void aChartIsReadAtATimeByKeyboardAndByPointer() {
    open("index.html#/history").awaitHtml("<polyline");
    focus(HANDLE);
    browser.await("return /^[0-9:]{8} .*create /.test(" + READING + ")");
    Object latest = browser.run("return " + READING);
    browser.type(Keys.ARROW_LEFT, Keys.ARROW_LEFT);
    Object earlier = browser.run("return " + READING);
    assertThat(earlier).isNotEqualTo(latest);
    assertThat(browser.run("return document.querySelector(arguments[0]).ariaValueText", HANDLE))
        .isEqualTo(earlier);
    browser.type(Keys.END, Keys.HOME);
    assertThat(browser.run("return document.querySelector(arguments[0]).ariaValueNow", HANDLE))
        .isEqualTo("0");
    browser.run("document.activeElement.blur()");
    assertThat(String.valueOf(browser.run("return " + READING))).isBlank();
    browser.run(
        "const handle = document.querySelector(arguments[0]);"
            + "const {left, width} = handle.getBoundingClientRect();"
            + "handle.dispatchEvent("
            + "new PointerEvent('pointermove', {clientX: left + width}))",
        HANDLE);
    assertThat(String.valueOf(browser.run("return " + READING))).contains("create ");
    assertNothingIsWrong();
  }

  @Test
  void theOverviewTellsWhatIsWrongAndTheHelpWhatToDo() throws Exception {
    cluster.fileSystem().setSafeMode(SafeModeAction.ENTER);
    try {
      Await.until("the problem", LIMIT, () -> get("problems").contains("safe-mode"));
      open("index.html").awaitText("The NameNode is in safe mode");
      assertThat(browser.html())
          .contains("href=\"help.html#safe-mode\"")
          .contains("Settings have no effect");
      browser.look("console-safe-mode");
    } finally {
      cluster.fileSystem().setSafeMode(SafeModeAction.LEAVE);
    }
    browser.run("document.querySelector('a[href=\"help.html#safe-mode\"]').click()");
    browser.awaitHtml("<code>dfsadmin -safemode leave</code>");
    browser.look("console-help");
    Await.until("the end of the problem", LIMIT, () -> !get("problems").contains("safe-mode"));
    open("index.html").awaitText("Problems");
    browser.await("return !document.body.innerText.includes('The NameNode is in safe mode')");
    assertNothingIsWrong();
  }

  @Test
  void usersAreListedWithTheirCalls() throws Exception {
    Await.until("the user", LIMIT, () -> get("users").contains("\"" + SELF + "\""));
    open("index.html#/users/5/" + SELF).awaitHtml("<td class=\"name\">" + SELF + "</td>");
    browser.await("return /create [1-9]/.test(document.body.innerText)");
    assertThat(browser.text()).contains("with all others");
    open("index.html#/users/1/nobody%20is%20called%20so").awaitText("Users of the last minute (2)");
    assertThat(browser.text()).doesNotContain("with all others");
    assertNothingIsWrong();
  }

  /** A filter is typed, and what it finds is opened, without a mouse. */
  @Test
  void settingsAreFoundByKeyboardWithTheirEffect() {
    open("index.html#/configuration");
    focus("input[type=search]");
    browser.type("handler.count", Keys.ENTER).awaitText("(1 of ");
    assertThat(browser.html()).contains(">77</td>").contains("has no effect");
    open("index.html#/configuration/all/0/").awaitText("Next page");
    focusLink("Next page");
    browser.type(Keys.ENTER).awaitText("Page before");
    assertThat(browser.text()).doesNotContain("acacia.access-time.flush-interval");
    focusLink("Page before");
    browser.type(Keys.ENTER);
    browser.await("return !document.body.innerText.includes('Page before')");
    assertNothingIsWrong();
  }

  /** Also where a row has nothing to open. */
  @Test
  void keysGoFromRowToRowAndFromPageToPage() {
    open("index.html#/configuration/all/0/").awaitText("Next page");
    focus(".scroll");
    browser.type(Keys.ARROW_DOWN).type(Keys.ARROW_DOWN);
    assertThat(browser.run(FOCUSED_ROW)).isEqualTo(1L);
    browser.type(Keys.END);
    assertThat(browser.run(FOCUSED_ROW)).isEqualTo(199L);
    browser.type(Keys.PAGE_DOWN).awaitText("Page before");
    browser.await("return document.activeElement.className === 'scroll'");
    browser.type(Keys.ARROW_DOWN);
    assertThat(browser.run(FOCUSED_ROW)).isEqualTo(0L);
    browser.type(Keys.PAGE_UP);
    browser.await("return !document.body.innerText.includes('Page before')");
    assertNothingIsWrong();
  }

  @Test
  void openFilesAreListedPageByPageWhateverTheirNames() throws Exception {
    List<FSDataOutputStream> streams = new ArrayList<>();
    try {
      for (int i = 1; i < MORE_THAN_A_PAGE; i++) {
        streams.add(cluster.fileSystem().create(new Path("/many-open/" + i)));
      }
      open("index.html#/openfiles").awaitText("Open files (" + MORE_THAN_A_PAGE + ")");
      assertThat(browser.html()).contains(">/&lt;b&gt;open&lt;/b&gt;</a>");
      focusLink("Next page");
      browser.type(Keys.ENTER).awaitText("First page").awaitText("/many-open/100");
      assertThat(browser.run("return document.querySelectorAll('tbody tr').length")).isEqualTo(1L);
      focus("input[type=search]");
      browser.type("/<b>", Keys.ENTER);
      browser.await("return document.querySelectorAll('tbody tr').length === 1");
      browser.awaitText(OPEN).awaitText("DFSClient_").awaitText("127.0.0.1");
      open("index.html#/openfiles/0/other").awaitText("Open files (" + MORE_THAN_A_PAGE + ")");
      assertThat(browser.text()).doesNotContain("DFSClient_");
      assertNothingIsWrong();
    } finally {
      for (FSDataOutputStream stream : streams) {
        stream.close();
      }
    }
  }

  /** Nothing is out of reach of those who use no mouse: the tab key comes to every link. */
  @Test
  void theTabKeyComesToThePagesAndTheContent() {
    open("index.html#/quotas").awaitText("Quotas (");
    browser.run("document.activeElement.blur()");
    browser.type(Keys.TAB);
    assertThat(browser.run("return document.activeElement.textContent"))
        .isEqualTo("To the content");
    browser.type(Keys.ENTER);
    assertThat(browser.run("return document.activeElement.id")).isEqualTo("main");
    browser.type(Keys.TAB);
    assertThat(browser.run("return document.activeElement.type")).isEqualTo("search");
    focusLink("Users");
    browser.type(Keys.ENTER).awaitText("Users of the last");
  }

  private static void focus(String selector) {
    browser.await("return document.querySelector(arguments[0])", selector);
    browser.run("document.querySelector(arguments[0]).focus()", selector);
  }

  private static void focusLink(String text) {
    browser.await(
        "const found = [...document.querySelectorAll('a')]"
            + ".find(each => each.textContent === arguments[0]); found?.focus(); return !!found",
        text);
  }
}
