package io.acaciafs.systemtests.pages;

import static org.assertj.core.api.Assertions.assertThat;

import io.acaciafs.kv.hbase.local.FreePorts;
import io.acaciafs.systemtests.harness.Cluster;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.openqa.selenium.Keys;

/** What a viewer does with files on the pages has the effect that HDFS's shell would have. */
class FilesPageTest extends FilesConsoleTestBase {
  private static final int LARGE = 5200;
  private static final int SMALLEST_BLOCK = 512;
  private static final int BLOCKS = 210;
  private static final String CSRF = "dfs.webhdfs.rest-csrf.enabled";

  private static String user;

  @BeforeAll
  static void start() throws Exception {
    start("files-page", "dfs.namenode.fs-limits.min-block-size", SMALLEST_BLOCK);
    user = console.user();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "plain",
        "100%",
        "%41",
        "a#b?c&d=e+f;g",
        "\"q'uo\"",
        " leading and trailing ",
        "back\\slash",
        "<b>bold<b>",
        "\uD83C\uDF33 tree",
        "\u00FCml\u00E4ut"
      })
  void directoriesOfAnyNameAreMadeOpenedAndRenamed(String name) throws Exception {
    browser.press("New directory").fill("name", name).confirm("Make", "is there");
    assertThat(console.names(root)).contains(name);

    browser.await(
        "const link = [...document.querySelectorAll('tbody a')]"
            + ".find(each => each.textContent === arguments[0]); link?.click(); return !!link",
        name + "/");
    browser.await(
        "return document.querySelector('#path').value === arguments[0]",
        root.toUri().getPath() + "/" + name);
    assertThat(browser.text()).contains("This directory is empty.");

    console.open(root);
    browser.choose(name, "Rename").fill("name", name + "2").confirm("Rename", "was moved");
    assertThat(console.names(root)).contains(name + "2").doesNotContain(name);
    assertThat(browser.complaints()).isEmpty();
  }

  @Test
  void aNameWithALineFeedIsANameAsAnyOther() throws Exception {
    fs.mkdirs(new Path(root, "two\nlines"));
    console.open(root);
    browser.choose("two\nlines", "Rename").fill("name", "two\n\nlines").confirm("Rename", "moved");
    assertThat(console.names(root)).containsExactlyInAnyOrder("file", "two\n\nlines");
  }

  @Test
  void filesAreUploadedAndReadAndDownloaded() throws Exception {
    java.nio.file.Path local = folder.resolve("up #1%.txt");
    Files.writeString(local, "first\n" + "line\n".repeat(20_000) + "last\n");
    browser.press("Upload").fill("chosen", local).confirm("Upload", "is there");
    FileStatus status = fs.getFileStatus(new Path(root, "up #1%.txt"));
    assertThat(status.getLen()).isEqualTo(Files.size(local));
    assertThat(status.getOwner()).isEqualTo(user);

    console.open(new Path(root, "up #1%.txt"));
    FileActions.readWhole(browser, Files.size(local));
    assertThat(browser.complaints()).isEmpty();
  }

  @Test
  void anUploadReplacesOnlyWhatTheViewerWants() throws Exception {
    java.nio.file.Path local = folder.resolve("file");
    Files.writeString(local, "other");
    browser.press("Upload").fill("chosen", local).press("Upload").awaitText("is there already");
    assertThat(fs.getFileStatus(new Path(root, "file")).getLen()).isEqualTo(100_000);
    browser.fill("overwrite", true).confirm("Upload", "is there");
    assertThat(fs.getFileStatus(new Path(root, "file")).getLen()).isEqualTo(5);
  }

  @Test
  void whatIsMovedAndDeletedIsWhereTheShellWouldPutIt() throws Exception {
    fs.mkdirs(new Path(root, "other"));
    console.open(root);
    browser.choose("file", "Move").fill("to", root.toUri().getPath() + "/other");
    browser.confirm("Move", "was moved");
    Path moved = new Path(root, "other/file");
    assertThat(fs.exists(moved)).isTrue();

    console.open(moved.getParent());
    browser.choose("file", "Delete").confirm("Delete", "in the trash");
    Path trash = new Path(fs.getTrashRoot(moved), "Current" + moved.toUri().getPath());
    assertThat(fs.exists(moved)).isFalse();
    assertThat(fs.getFileStatus(trash).getLen()).isEqualTo(100_000);
    assertThat(fs.getFileStatus(fs.getTrashRoot(moved)).getPermission().toShort())
        .isEqualTo((short) 0700);

    console.open(root);
    browser.choose("other", "Delete").fill("forGood", true).confirm("Delete", "is deleted");
    assertThat(console.names(root)).isEmpty();
  }

  /** Without security the NameNode believes the name. */
  @Test
  void theViewerNamesTheUser() throws Exception {
    fs.setPermission(root, new FsPermission("777"));
    browser.press("User: " + user).fill("name", "alice").press("Use").awaitText("User: alice");
    browser.press("New directory").fill("name", "hers").confirm("Make", "is there");
    assertThat(fs.getFileStatus(new Path(root, "hers")).getOwner()).isEqualTo("alice");
  }

  @Test
  void thePathBoxGoesThereByKeyboard() {
    goTo("/no/such");
    browser.awaitText("File does not exist: /no/such");
    goTo(root + "/file");
    browser.awaitText("Blocks (1)");
    browser.run("document.querySelector('summary').click()");
    browser.awaitText("Extended attributes").awaitText("There are none.");
  }

  private static void goTo(String path) {
    browser.run(
        "const box = document.getElementById('path'); box.value = arguments[0]; box.focus()", path);
    browser.type(Keys.ENTER);
  }

  @Test
  void aLargeDirectoryComesPartByPart() throws Exception {
    IntStream.range(0, LARGE).parallel().forEach(i -> mkdirs(String.format("d%05d", i)));
    console.open(root);
    browser.awaitText("A large directory: 5,000 names are here, and more come after them.");
    assertThat(browser.text()).contains("d00000/").doesNotContain("d05000/");
    browser.press("On").awaitText("201 names are here, and none comes after them.");
    assertThat(browser.text()).contains("d05000/").doesNotContain("d00000/");
    browser.press("Back").awaitText("d00000/");
    browser.run("document.getElementById('part-prefix').focus()");
    browser.type("d0510", Keys.ENTER).awaitText("10 rows").awaitText("d05109/");
  }

  private void mkdirs(String name) {
    try {
      fs.mkdirs(new Path(root, name));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void whatFailsIsSaidInTheDialogAndChangesNothing() throws Exception {
    browser.press("New directory").fill("name", "file").press("Make");
    browser.await("return document.querySelector('dialog .bad:not([hidden])')?.textContent");
    assertThat(browser.text()).contains("is not a directory");
    browser.look("files-dialog");
    assertThat(console.names(root)).containsExactly("file");
  }

  /** A block takes about 2 KB of an answer, of which none is to have more than 1 MB. */
  @Test
  void theBlocksOfALargeFileComePartByPart() throws Exception {
    Path large = new Path(root, "large");
    try (OutputStream out = fs.create(large, true, 4096, (short) 1, SMALLEST_BLOCK)) {
      out.write(new byte[BLOCKS * SMALLEST_BLOCK]);
    }
    console.open(large);
    browser.awaitText("Blocks (" + BLOCKS + ")").awaitText("1 to 200 of " + BLOCKS + " rows");
    browser.press("Next page").awaitText("201 to " + BLOCKS + " of " + BLOCKS + " rows");
    assertThat(browser.run("return document.querySelectorAll('tbody tr').length"))
        .isEqualTo(BLOCKS - 200L);
    assertThat(browser.text()).contains(String.format("%,d", (BLOCKS - 1) * SMALLEST_BLOCK));
    assertThat(
            (List<?>)
                browser.run(
                    "return performance.getEntriesByType('resource')"
                        + ".filter(each => each.name.includes('GET_BLOCK_LOCATIONS'))"
                        + ".map(each => each.decodedBodySize)"))
        .hasSize(2)
        .allSatisfy(bytes -> assertThat(((Number) bytes).longValue()).isBetween(1L, 500_000L));
  }

  @Test
  void tablesSortFilterAndTurnPagesByKeyboard() throws Exception {
    for (int i = 0; i < 120; i++) {
      fs.mkdirs(new Path(root, String.format("d%03d", i)));
    }
    console.open(root);
    assertThat(browser.text()).contains("1 to 100 of 121 rows");
    browser.run("document.querySelector('tbody a').focus()");
    browser.type(Keys.PAGE_DOWN).awaitText("101 to 121 of 121 rows");
    browser.type(Keys.ARROW_DOWN, Keys.ARROW_DOWN);
    assertThat(browser.run("return document.activeElement.textContent")).isEqualTo("d102/");
    browser.type(Keys.PAGE_UP).awaitText("1 to 100 of 121 rows");
    browser.press("Name").press("Name").awaitText("d119");
    browser.run("document.querySelector('input[type=search]').focus()");
    browser.type("d00").awaitText("10 of 121 rows");
    browser.look("files-sorted");
  }

  @Test
  void noSiteButThisOneChangesAnything() throws Exception {
    String path = root.toUri().getPath() + "/forged?op=MKDIRS&user.name=" + user;
    for (Map.Entry<String, String> header :
        Map.of("Sec-Fetch-Site", "cross-site", "Origin", "http://127.0.0.1:1").entrySet()) {
      HttpRequest forged =
          HttpRequest.newBuilder(URI.create(console.url("/webhdfs/v1" + path)))
              .PUT(HttpRequest.BodyPublishers.noBody())
              .header(header.getKey(), header.getValue())
              .build();
      assertThat(HttpClient.newHttpClient().send(forged, BodyHandlers.ofString()).statusCode())
          .isEqualTo(403);
    }
    assertThat(console.names(root)).containsExactly("file");
  }

  /** The script that speaks to a DataNode may speak to no other place. */
  @Test
  void thePagesSpeakToDataNodesAlone() throws Exception {
    assertThat(
            browser.run(
                "return fetch('http://127.0.0.1:" + FreePorts.next() + "/').catch(e => 'refused')"))
        .isEqualTo("refused");
    assertThat(browser.complaints()).anyMatch(each -> each.contains("Content Security Policy"));
    String own =
        "localhost:"
            + console.cluster().dataNodes().get(0).getInfoPort(); // by another name than its own
    for (String node : List.of("example.com:9864", own + "x", "localhost:1")) {
      HttpRequest request =
          HttpRequest.newBuilder(URI.create(console.url("/api/transfer.js?node=" + node))).build();
      assertThat(HttpClient.newHttpClient().send(request, BodyHandlers.ofString()).statusCode())
          .isEqualTo(404);
    }
  }

  /** By settings: the pages only show; and Hadoop's own protection is on. */
  @Test
  void actionsCanBeSwitchedOffAndThePagesSendTheHeaderThatHadoopWants() throws Exception {
    int port = FreePorts.next();
    try (Cluster other =
        Cluster.builder("files-page-csrf")
            .set("dfs.namenode.http-address", "127.0.0.1:" + port)
            .set(CSRF, true)
            .start()) {
      String page = "http://127.0.0.1:" + port + "/index.html#/files/";
      browser.open(page).as(user);
      browser.open(page).press("New directory").fill("name", "made").confirm("Make", "is there");
      assertThat(other.fileSystem().exists(new Path("/made"))).isTrue();

      java.nio.file.Path local = folder.resolve("refused");
      Files.writeString(local, "text");
      browser.press("Upload").fill("chosen", local).press("Upload").awaitText(CSRF);
    }
    port = FreePorts.next();
    try (Cluster other =
        Cluster.builder("files-page-off")
            .set("dfs.namenode.http-address", "127.0.0.1:" + port)
            .set("acacia.web.actions", false)
            .start()) {
      other.fileSystem().mkdirs(new Path("/made"));
      browser.open("http://127.0.0.1:" + port + "/index.html#/files/").awaitText("made/");
      assertThat(browser.text()).doesNotContain("Upload", "New directory", "This directory");
      browser.press("Actions: made").awaitText("Open");
      assertThat(browser.text()).doesNotContain("Rename", "Delete");
    }
  }
}
