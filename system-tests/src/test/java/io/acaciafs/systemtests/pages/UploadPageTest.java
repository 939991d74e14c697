package io.acaciafs.systemtests.pages;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.server.datanode.DataNodeFaultInjector;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.openqa.selenium.Keys;

/** An upload that ends before it is complete leaves what was there, and says what was sent. */
class UploadPageTest extends FilesConsoleTestBase {
  private static final int LIMIT_S = 60;

  /** A DataNode that writes nothing until it is told to. */
  private static final class Held extends DataNodeFaultInjector implements AutoCloseable {
    private final CountDownLatch reached = new CountDownLatch(1);
    private final CountDownLatch open = new CountDownLatch(1);
    private final DataNodeFaultInjector before = DataNodeFaultInjector.get();

    Held() {
      DataNodeFaultInjector.set(this);
    }

    @Override
    public void delayWriteToDisk() {
      reached.countDown();
      try {
        open.await();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }

    void awaitWriter() throws InterruptedException {
      assertThat(reached.await(LIMIT_S, TimeUnit.SECONDS)).isTrue();
    }

    @Override
    public void close() {
      DataNodeFaultInjector.set(before);
      open.countDown();
    }
  }

  @BeforeAll
  static void start() throws Exception {
    start("upload-page");
  }

  private static java.nio.file.Path local(String name) throws Exception {
    return Files.writeString(folder.resolve(name), "text of " + name);
  }

  private void startUpload(String name) throws Exception {
    browser.press("Upload").fill("chosen", local(name)).fill("overwrite", true).press("Upload");
    browser.await("return document.querySelector('dialog progress').value > 0");
  }

  @Test
  void cancelEndsTheTransferAndWhatWasThereStays() throws Exception {
    try (Held held = new Held()) {
      startUpload("file");
      held.awaitWriter();
      browser.press("Cancel").awaitText("Stopped at file: ").awaitText("Not sent: file.");
      assertThat(console.names(root)).containsExactly("file");
      browser.press("Cancel");
      browser.await("return !document.querySelector('dialog')");
    }
    assertThat(fs.getFileStatus(new Path(root, "file")).getLen()).isEqualTo(FilesConsole.LENGTH);
  }

  @Test
  void escapeEndsTheTransferToo() throws Exception {
    try (Held held = new Held()) {
      startUpload("new");
      held.awaitWriter();
      browser.run("document.querySelector('dialog [name=overwrite]').focus()");
      browser.type(Keys.TAB, Keys.ESCAPE).awaitText("Stopped at new: ");
      assertThat(console.names(root)).containsExactly("file");
    }
    browser.press("Upload"); // again, as nothing holds it now
    browser.await("return !document.querySelector('dialog[open]')");
    assertThat(console.names(root)).containsExactly("file", "new");
  }

  @Test
  void ofSeveralFilesThoseThatWereSentAreNotSentAgain() throws Exception {
    Files.writeString(folder.resolve("file"), "other");
    browser
        .press("Upload")
        .fill("chosen", local("a"))
        .fill("chosen", folder.resolve("file"))
        .fill("chosen", local("z"))
        .press("Upload")
        .awaitText("file is there already. Sent: a. Not sent: file, z.");
    browser.await(
        "return [...document.querySelectorAll('main tbody a')].some(each => each.textContent ==="
            + " 'a')");

    fs.delete(new Path(root, "file"), false);
    browser.confirm("Upload", "3 files are in");
    assertThat(console.names(root)).containsExactly("a", "file", "z");
  }
}
