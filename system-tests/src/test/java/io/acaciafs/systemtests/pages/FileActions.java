package io.acaciafs.systemtests.pages;

import static org.assertj.core.api.Assertions.assertThat;

import io.acaciafs.systemtests.harness.Await;
import io.acaciafs.systemtests.harness.Browser;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** All that a viewer can do with files on the pages, each by what Hadoop's shell tells then. */
public final class FileActions {
  private static final Duration LIMIT = Duration.ofSeconds(30);
  private static final String TEXT = "first\n" + "line\n".repeat(20_000) + "last\n";

  private final Browser browser;
  private final String url;
  private final Path folder;

  /** Hadoop's shell of a superuser. */
  @FunctionalInterface
  public interface Shell {
    /** What each command prints. */
    List<String> run(String... commands) throws Exception;
  }

  /**
   * Nothing is done yet.
   *
   * @param browser of a superuser
   * @param url of the NameNode, with a slash at its end
   * @param folder for files that are sent
   */
  public FileActions(Browser browser, String url, Path folder) {
    this.browser = browser;
    this.url = url;
    this.folder = folder;
  }

  /**
   * Does all, and looks at it.
   *
   * @param directory that is there, is empty and has a name without anything to escape
   * @param trash of the viewer
   */
  public void doAll(String directory, String trash, Shell shell) throws Exception {
    open(directory).press("New directory").fill("name", "limited").confirm("Make", "is there");
    for (String name : List.of("up", "second", "gone", "lost")) {
      upload(name);
    }
    change();
    move(directory);
    browser.choose("gone", "Delete").confirm("Delete", "in the trash");
    browser.choose("lost", "Delete").fill("forGood", true).confirm("Delete", "is deleted");
    read(directory + "/up");
    assertThat(browser.complaints()).isEmpty();
    check(directory, trash, shell);
  }

  private Browser open(String path) {
    return browser.open(url + "index.html#/files" + path).awaitText("Files");
  }

  private void upload(String name) throws Exception {
    Path local = Files.writeString(folder.resolve(name), TEXT);
    browser.press("Upload").fill("chosen", local).confirm("Upload", "is there");
  }

  private void change() {
    browser.choose("up", "Owner").fill("owner", "carol").fill("group", "staff");
    browser.confirm("Set", "belongs to carol:staff");
    browser.choose("up", "Permission").fill("bits", "640").confirm("Set", "-rw-r-----");
    browser.choose("up", "Replication").fill("count", "3").confirm("Set", "3 replicas");
    browser
        .choose("up", "ACL")
        .fill("entries", "user::rw-\nuser:bob:r--\ngroup::r--\nother::---")
        .confirm("Set", "new ACL");
    browser.choose("up", "Extended attributes").fill("name", "user.origin").fill("value", "here");
    browser.confirm("Set", "user.origin is set");
    browser.choose("up", "Storage policy").fill("chosen", "ALL_SSD").confirm("Set", "ALL_SSD");
    browser.choose("limited", "Quota").fill("names", "10").fill("space", "1.5 GiB");
    browser.confirm("Set", "new quota");
  }

  private void move(String directory) {
    browser.choose("second", "Rename").fill("name", "renamed").confirm("Rename", "was moved");
    browser.choose("renamed", "Move").fill("to", directory + "/limited");
    browser.confirm("Move", "was moved");
  }

  private void read(String file) throws Exception {
    open(file);
    readWhole(browser, TEXT.length());
  }

  /** Reads the file that is shown, whose text begins with "first" and ends with a line "last". */
  static void readWhole(Browser browser, long bytes) throws Exception {
    browser.press("Head");
    browser.await("return document.querySelector('pre.text')?.textContent.startsWith('first')");
    browser.press("Tail");
    browser.await("return document.querySelector('pre.text')?.textContent.endsWith('last\\n')");
    assertThat(browser.text()).contains("Blocks (1)", "blk_", "(/default-rack)");
    browser.press("Download");
    Await.until(
        "the download",
        LIMIT,
        () -> browser.downloaded().stream().anyMatch(each -> each.toFile().length() == bytes));
  }

  private static void check(String directory, String trash, Shell shell) throws Exception {
    List<String> told =
        shell.run(
            "fs -stat %u:%g:%r:%b " + directory + "/up",
            "fs -getfacl " + directory + "/up",
            "fs -getfattr -d " + directory + "/up",
            "storagepolicies -getStoragePolicy -path " + directory + "/up",
            "fs -count -q " + directory + "/limited",
            "fs -ls -C " + directory,
            "fs -ls -C " + directory + "/limited",
            "fs -ls -C " + trash + "/Current" + directory,
            "fs -cat " + directory + "/limited/renamed");
    assertThat(told.get(0)).isEqualTo("carol:staff:3:" + TEXT.length());
    assertThat(told.get(1)).contains("user::rw-", "user:bob:r--", "group::r--", "other::---");
    assertThat(told.get(2)).contains("user.origin=\"here\"");
    assertThat(told.get(3)).contains("ALL_SSD");
    assertThat(told.get(4)).containsPattern("^\\s*10\\s+8\\s+" + (3L << 29) + "\\s");
    assertThat(told.get(5).lines()).containsExactly(directory + "/limited", directory + "/up");
    assertThat(told.get(6).lines()).containsExactly(directory + "/limited/renamed");
    assertThat(told.get(7)).isEqualTo(trash + "/Current" + directory + "/gone");
    assertThat(told.get(8)).isEqualTo(TEXT.strip());
  }
}
