package io.acaciafs.systemtests.secure;

import static org.assertj.core.api.Assertions.assertThat;

import io.acaciafs.systemtests.harness.Browser;
import io.acaciafs.systemtests.harness.HadoopKdc;
import io.acaciafs.systemtests.harness.SecureCluster;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The pages of a NameNode with Kerberos, by HTTPS, in the browser of a user with a ticket. */
@Tag("long")
class SecurePagesTest {
  @TempDir private Path folder;

  @Test
  void theViewerIsTheUserOfTheTicket() throws Exception {
    try (SecureCluster cluster = SecureCluster.start("secure-pages", "privacy", 1, Map.of())) {
      SecureProgramsTest.prepare(cluster);
      String url = "https://localhost:" + cluster.httpsPort() + "/";
      try (Browser browser = browserOf(cluster, "alice")) {
        useFiles(browser, url);
        browser.open(url + "index.html#/files/secret").awaitText("Permission denied: user=alice");
      }
      assertThat(cluster.as("alice", "fs -ls /user/alice").get(0).text())
          .contains("alice workers", "/user/alice/made", "/user/alice/up");
      assertThat(cluster.audit())
          .anyMatch(
              line -> line.contains("ugi=alice (auth:KERBEROS)") && line.contains("cmd=mkdirs"));
      try (Browser browser = browserOf(cluster, "hdfs")) {
        browser.passAllPages(url, page -> browser.glance("secure-" + page));
      }
    }
  }

  /** As if the browser had shown the ticket itself: curl does, and the browser gets its cookie. */
  private Browser browserOf(SecureCluster cluster, String user) throws Exception {
    HadoopKdc kdc = (HadoopKdc) cluster.kdc();
    Path jar = folder.resolve(user + ".cookies");
    String url = "https://localhost:" + cluster.httpsPort() + "/index.html";
    ProcessBuilder curl =
        new ProcessBuilder("curl", "-sk", "--negotiate", "-u", ":", "-c", jar.toString(), url);
    curl.environment().put("KRB5CCNAME", "FILE:" + kdc.ticketCache(user));
    curl.environment().put("KRB5_CONFIG", kdc.krb5Conf().toString());
    curl.redirectOutput(ProcessBuilder.Redirect.DISCARD);
    assertThat(curl.start().waitFor()).isZero();
    String cookie =
        Files.readAllLines(jar).stream()
            .filter(line -> line.contains("\thadoop.auth\t"))
            .map(line -> line.substring(line.lastIndexOf('\t') + 1))
            .findFirst()
            .orElseThrow(() -> new AssertionError("curl was not let in"));
    return Browser.startOrSkip(Files.createTempDirectory(folder, user))
        .withCookie(url, "hadoop.auth", cookie);
  }

  private void useFiles(Browser browser, String url) throws Exception {
    browser.open(url + "index.html#/files/user/alice").awaitText("alice");
    browser.press("New directory").fill("name", "made").confirm("Make", "is there");
    Path local = folder.resolve("up");
    Files.writeString(local, "some text\n");
    browser.press("Upload").fill("chosen", local).confirm("Upload", "is there");
    browser.open(url + "index.html#/files/user/alice/up").press("Head").awaitText("some text");
    assertThat(browser.complaints()).isEmpty();
  }
}
