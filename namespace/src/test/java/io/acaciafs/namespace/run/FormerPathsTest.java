package io.acaciafs.namespace.run;

import static io.acaciafs.namespace.testkit.NamespaceFixture.SUPERUSER;
import static io.acaciafs.namespace.testkit.NamespaceFixture.create;
import static org.assertj.core.api.Assertions.assertThat;

import io.acaciafs.kv.memory.Faults;
import io.acaciafs.namespace.background.BackgroundWork;
import io.acaciafs.namespace.context.CallId;
import io.acaciafs.namespace.context.Caller;
import io.acaciafs.namespace.op.directory.Delete;
import io.acaciafs.namespace.op.directory.Rename;
import io.acaciafs.namespace.op.directory.Rename2;
import io.acaciafs.namespace.record.DirectoryInode;
import io.acaciafs.namespace.record.NamespaceKeys;
import io.acaciafs.namespace.testkit.ManualClock;
import io.acaciafs.namespace.testkit.NamespaceFixture;
import java.io.IOException;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import org.apache.hadoop.fs.CreateFlag;
import org.apache.hadoop.fs.Options;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A call is repeated when the directories on its path are elsewhere or gone. Its file was deleted
 * by the first attempt and made anew by somebody, so a repetition that runs deletes it again.
 */
class FormerPathsTest {
  private static final String PATH = "/a/b/c/file";
  private static final Delete DELETE = new Delete(PATH, false);
  private static final byte[] CLIENT_ID = "sixteen bytes id".getBytes();

  private final NamespaceFixture fs = fixture(1, 0);

  private static NamespaceFixture fixture(int firstBuckets, long splitThreshold) {
    return new NamespaceFixture(
        NamespaceFixture.sharedStore(Faults.none()),
        NamespaceFixture.settingsOfBuckets(firstBuckets, splitThreshold),
        new ManualClock());
  }

  @AfterEach
  void close() {
    fs.close();
  }

  private static Caller attempt(int retryCount) {
    return SUPERUSER.in(new CallId(CLIENT_ID, 1, retryCount));
  }

  private void deleteFirst(NamespaceFixture files) throws IOException {
    files.file(PATH);
    assertThat(files.run(attempt(0), DELETE)).isTrue();
  }

  /** The file that somebody makes at the same path stays. */
  private void assertDeletedOnce(NamespaceFixture files) throws IOException {
    files.file(PATH);
    assertThat(files.run(attempt(1), DELETE)).isTrue();
    assertThat(files.exists(PATH)).isTrue();
    assertThat(files.run(SUPERUSER, DELETE)).as("another call").isTrue();
  }

  private void rename(String from, String to) throws IOException {
    assertThat(fs.run(new Rename(from, to))).isTrue();
  }

  @ParameterizedTest
  @ValueSource(strings = {"/a", "/a/b", "/a/b/c"})
  void aDirectoryOnThePathWasRenamed(String directory) throws IOException {
    deleteFirst(fs);
    rename(directory, "/moved");
    assertDeletedOnce(fs);
  }

  @ParameterizedTest
  @ValueSource(strings = {"/a", "/a/b", "/a/b/c"})
  void aDirectoryOnThePathWasRemovedAndSwept(String directory) throws IOException {
    deleteFirst(fs);
    fs.run(new Delete(directory, true));
    BackgroundWork.sweep(fs.namespace());
    assertDeletedOnce(fs);
  }

  @Test
  void allOfThemWereRenamedOneAfterTheOther() throws IOException {
    deleteFirst(fs);
    rename("/a", "/x");
    rename("/x/b", "/y");
    rename("/y/c", "/z");
    rename("/z", "/x/z");
    assertDeletedOnce(fs);
  }

  @Test
  void theyWereRemovedAfterTheyWereRenamed() throws IOException {
    deleteFirst(fs);
    rename("/a/b", "/x");
    rename("/a", "/y");
    fs.run(new Delete("/x", true));
    fs.run(new Delete("/y", true));
    BackgroundWork.sweep(fs.namespace());
    assertDeletedOnce(fs);
  }

  @Test
  void theNameWasTakenAndLostSeveralTimesSince() throws IOException {
    deleteFirst(fs);
    rename("/a", "/x");
    for (int i = 0; i < 10; i++) {
      fs.mkdir("/a/b/c");
      rename("/a", "/x" + i);
    }
    assertDeletedOnce(fs);
  }

  @Test
  void anotherDirectoryWasRenamedOverIt() throws IOException {
    deleteFirst(fs);
    fs.file("/other/file");
    fs.run(new Rename2("/other", "/a/b/c", EnumSet.of(Options.Rename.OVERWRITE)));
    fs.run(new Delete(PATH, false));
    assertDeletedOnce(fs);
  }

  @Test
  void itWasRenamedAndCameBack() throws IOException {
    deleteFirst(fs);
    rename("/a", "/x");
    rename("/x", "/a");
    assertDeletedOnce(fs);
  }

  @Test
  void aCreateAnswersWithTheFileThatItMade() throws IOException {
    var create = create(PATH, 0644, "c", CreateFlag.CREATE);
    long id = fs.run(attempt(0), create).inode().id();
    rename("/a", "/moved");

    assertThat(fs.run(attempt(1), create).inode().id()).isEqualTo(id);
    assertThat(fs.exists(PATH)).isFalse();
  }

  /** The first attempt makes what the second finds renamed. */
  @Test
  void aRepeatedRenameOfADirectoryItself() throws IOException {
    fs.mkdir("/a/b");
    Rename rename = new Rename("/a/b", "/a/x");
    assertThat(fs.run(attempt(0), rename)).isTrue();
    rename("/a", "/moved");
    fs.mkdir("/a/b");

    assertThat(fs.run(attempt(1), rename)).isTrue();
    assertThat(fs.list("/a")).containsExactly("b");
  }

  @Test
  void itWasDividedAfterItWasRenamed() throws IOException {
    try (NamespaceFixture divided = fixture(1, 4)) {
      deleteFirst(divided);
      for (String directory : List.of("/a", "/x", "/x/b")) {
        if (directory.equals("/a")) {
          divided.run(new Rename("/a", "/x"));
        } else {
          for (int i = 0; i < 100; i++) {
            divided.file(directory + "/" + i);
          }
          BackgroundWork.split(divided.namespace());
          DirectoryInode now = (DirectoryInode) divided.info(directory).inode();
          assertThat(now.buckets().count()).isGreaterThan(1);
        }
      }
      assertDeletedOnce(divided);
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void theyHadSeveralBuckets(boolean isRemoved) throws IOException {
    try (NamespaceFixture buckets = fixture(8, 0)) {
      deleteFirst(buckets);
      buckets.run(isRemoved ? new Delete("/a", true) : new Rename("/a", "/x"));
      BackgroundWork.sweep(buckets.namespace());
      assertDeletedOnce(buckets);
    }
  }

  @Test
  void itIsForgottenWithTheAnswers() throws IOException {
    deleteFirst(fs);
    fs.run(new Delete("/a", true));
    BackgroundWork.sweep(fs.namespace());
    long rows = fs.rows(NamespaceKeys.ENTRIES);
    assertThat(rows).as("root, its counters, three former directories, an answer").isEqualTo(6);
    fs.clock.advanceMs(Duration.ofMinutes(9).toMillis());
    BackgroundWork.expireRetries(fs.namespace());
    assertThat(fs.rows(NamespaceKeys.ENTRIES)).isEqualTo(rows);

    fs.clock.advanceMs(Duration.ofMinutes(6).toMillis());
    BackgroundWork.expireRetries(fs.namespace());
    assertThat(fs.rows(NamespaceKeys.ENTRIES)).isEqualTo(2);
    assertThat(fs.rows(NamespaceKeys.RETRIES)).isZero();
  }

  /** The repetition comes late, when its answer is due to be forgotten but is there still. */
  @Test
  void oldOnesCountNoMore() throws IOException {
    deleteFirst(fs);
    rename("/a", "/moved");
    fs.clock.advanceMs(Duration.ofMinutes(15).toMillis());

    fs.file(PATH);
    assertThat(fs.run(attempt(1), DELETE)).isTrue();
    assertThat(fs.exists(PATH)).isFalse();
  }
}
