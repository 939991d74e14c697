package io.acaciafs.kv.raft;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.acaciafs.kv.Key;
import io.acaciafs.kv.Store;
import io.acaciafs.kv.Table;
import io.acaciafs.kv.Transaction;
import io.acaciafs.kv.raft.call.ChannelSecurity;
import io.acaciafs.kv.raft.call.MutualTls;
import io.acaciafs.kv.raft.copy.CopyRate;
import io.acaciafs.kv.raft.copy.IncomingCopy;
import io.acaciafs.kv.testkit.TestAuthority;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Members take those alone that show a certificate of their authority. */
class MutualTlsTest {
  private static final long LOOK_MS = 50;
  private static final Table TABLE = Table.ofSingleRows("rows");

  @TempDir private Path folder;

  private TestAuthority authority(String name) throws Exception {
    return new TestAuthority(folder.resolve(name));
  }

  private static MutualTls.PemFiles files(TestAuthority.Issued issued) {
    return new MutualTls.PemFiles(issued.key(), issued.certificate(), issued.authorities());
  }

  private void assertNoCopy(String address, ChannelSecurity security) {
    assertThatThrownBy(
            () ->
                new IncomingCopy(folder.resolve("stranger"), new CopyRate(0))
                    .fetch(address, security))
        .isInstanceOf(IOException.class)
        .hasMessageStartingWith("The member at " + address + " gave no copy of its store");
  }

  @Test
  void membersWorkAndStrangersGetNothing() throws Exception {
    TestAuthority site = authority("site");
    ChannelSecurity security = new MutualTls(files(site.issue()));
    try (Trio trio = new Trio(folder.resolve("trio"), Set.of(TABLE), security)) {
      String leader = trio.awaitLeader();
      Store store = trio.member(leader).store;
      Transaction transaction = store.begin();
      transaction.put(new Key(TABLE, "row".getBytes(UTF_8)), new byte[] {1});
      transaction.commit().get(60, TimeUnit.SECONDS);
      long position = trio.member(leader).raft.status().position();
      for (String name : Trio.NAMES) {
        trio.awaitApplied(name, position);
      }
      String address = trio.addressOf(leader);
      Files.createDirectories(folder.resolve("stranger"));
      assertNoCopy(address, ChannelSecurity.NONE);
      assertNoCopy(address, new MutualTls(files(authority("other").issue())));
      MutualTls.PemFiles own = files(site.issue());
      MutualTls.PemFiles others = files(authority("third").issue());
      assertNoCopy( // trusts the members, and shows what they do not trust
          address,
          new MutualTls(
              new MutualTls.PemFiles(others.key(), others.certificate(), own.authorities())));
      assertNoCopy(address, new MutualTls(files(site.issueExpired())));
      new IncomingCopy(folder.resolve("stranger"), new CopyRate(0))
          .fetch(address, new MutualTls(own));
    }
  }

  /** The certificate names another host: a member's that had the address before. */
  @Test
  void aMemberOnAnotherHostIsNotTaken() throws Exception {
    TestAuthority site = authority("site");
    MutualTls elsewhere = new MutualTls(files(site.issueFor("10.0.0.1")));
    try (Trio trio = new Trio(folder.resolve("trio"), Set.of(TABLE), elsewhere)) {
      Files.createDirectories(folder.resolve("stranger"));
      assertNoCopy(trio.addressOf("nn1"), new MutualTls(files(site.issue())));
    }
  }

  @Test
  void takesNewCertificatesWithoutARestart() throws Exception {
    TestAuthority site = authority("site");
    MutualTls.PemFiles first = files(site.issue());
    MutualTls.PemFiles others = files(authority("other").issue());
    MutualTls.PemFiles files =
        new MutualTls.PemFiles(
            folder.resolve("key"), folder.resolve("certificate"), folder.resolve("authorities"));
    copy(first, files);
    Files.createDirectories(folder.resolve("stranger"));
    ChannelSecurity watched = new MutualTls(files, LOOK_MS);
    try (Trio trio = new Trio(folder.resolve("trio"), Set.of(TABLE), watched)) {
      String address = trio.addressOf(trio.awaitLeader());
      ChannelSecurity ofFirst = new MutualTls(first);
      ChannelSecurity ofOther = new MutualTls(others);
      assertCopy(address, ofFirst);
      assertNoCopy(address, ofOther);
      copy(others, files);
      trio.await(() -> "the other authority is not taken", () -> givesCopy(address, ofOther));
      assertNoCopy(address, new MutualTls(first));
      Files.writeString(files.certificate(), "half a certif"); // as while it is written
      assertCopy(address, ofOther);
      // the certificate alone, with the same key
      Files.copy(first.key(), files.key(), StandardCopyOption.REPLACE_EXISTING);
      Files.copy(first.authorities(), files.authorities(), StandardCopyOption.REPLACE_EXISTING);
      assertNoCopy(address, new MutualTls(first));
      Files.copy(first.certificate(), files.certificate(), StandardCopyOption.REPLACE_EXISTING);
      trio.await(() -> "the certificate alone is not taken", () -> givesCopy(address, ofFirst));
    }
  }

  private boolean givesCopy(String address, ChannelSecurity security) {
    try {
      assertCopy(address, security);
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  private void assertCopy(String address, ChannelSecurity security) throws IOException {
    new IncomingCopy(folder.resolve("stranger"), new CopyRate(0)).fetch(address, security);
  }

  private static void copy(MutualTls.PemFiles from, MutualTls.PemFiles to) throws IOException {
    Files.copy(from.key(), to.key(), StandardCopyOption.REPLACE_EXISTING);
    Files.copy(from.certificate(), to.certificate(), StandardCopyOption.REPLACE_EXISTING);
    Files.copy(from.authorities(), to.authorities(), StandardCopyOption.REPLACE_EXISTING);
  }

  @Test
  void saysWhichFileIsWrong() throws Exception {
    MutualTls.PemFiles good = files(authority("site").issue());
    Path missing = folder.resolve("missing");
    assertThatThrownBy(
            () ->
                new MutualTls(
                    new MutualTls.PemFiles(missing, good.certificate(), good.authorities())))
        .hasMessage(missing + " cannot be read, so the members cannot use TLS");
    Path rubbish = Files.writeString(folder.resolve("rubbish"), "rubbish");
    assertThatThrownBy(
            () ->
                new MutualTls(
                    new MutualTls.PemFiles(rubbish, good.certificate(), good.authorities())))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("The members cannot use TLS with")
        .hasMessageContaining(rubbish.toString());
  }
}
