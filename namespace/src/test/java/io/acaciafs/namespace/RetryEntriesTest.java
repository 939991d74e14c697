package io.acaciafs.namespace;

import static io.acaciafs.namespace.NamespaceFixture.SUPERUSER;
import static io.acaciafs.namespace.NamespaceFixture.create;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.acaciafs.namespace.background.BackgroundWork;
import io.acaciafs.namespace.op.AppendFile;
import io.acaciafs.namespace.op.ConcatFiles;
import io.acaciafs.namespace.op.Delete;
import io.acaciafs.namespace.op.Rename;
import io.acaciafs.namespace.op.Rename2;
import io.acaciafs.namespace.op.UpdatePipeline;
import io.acaciafs.namespace.record.NamespaceKeys;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import org.apache.hadoop.fs.CreateFlag;
import org.apache.hadoop.fs.Options;
import org.apache.hadoop.hdfs.protocol.AlreadyBeingCreatedException;
import org.apache.hadoop.hdfs.protocol.Block;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A client that got no reply sends the call again: with the same ids and a higher retry count. */
class RetryEntriesTest {
  private static final byte[] CLIENT_ID = "sixteen bytes id".getBytes();

  private final NamespaceFixture fs = new NamespaceFixture();

  @BeforeEach
  void makeDirectories() throws IOException {
    fs.mkdir("/from");
    fs.mkdir("/to");
  }

  @AfterEach
  void close() {
    fs.close();
  }

  private static Caller attempt(int callId, int retryCount) {
    return SUPERUSER.in(new CallId(CLIENT_ID, callId, retryCount));
  }

  @Test
  void createAnswersWithTheFileThatItMade() throws IOException {
    InodeStatus first = fs.run(attempt(1, 0), create("/from/file", 0644, "c", CreateFlag.CREATE));
    InodeStatus second = fs.run(attempt(1, 1), create("/from/file", 0644, "c", CreateFlag.CREATE));

    assertThat(second.inode()).isEqualTo(first.inode());
  }

  @Test
  void createFindsItsAnswerBelowDirectoriesThatItMadeItself() throws IOException {
    String path = "/from/new/newer/file";
    InodeStatus first = fs.run(attempt(1, 0), create(path, 0644, "c", CreateFlag.CREATE));
    InodeStatus second = fs.run(attempt(1, 1), create(path, 0644, "c", CreateFlag.CREATE));

    assertThat(second.inode()).isEqualTo(first.inode());
  }

  @Test
  void anotherCallIsNoRepetition() throws IOException {
    fs.run(attempt(1, 0), create("/from/file", 0644, "c", CreateFlag.CREATE));
    assertThatThrownBy(
            () -> fs.run(attempt(2, 1), create("/from/file", 0644, "c", CreateFlag.CREATE)))
        .isInstanceOf(AlreadyBeingCreatedException.class);
  }

  @Test
  void deleteRemovesOnce() throws IOException {
    fs.file("/from/file");
    assertThat(fs.run(attempt(1, 0), new Delete("/from/file", false))).isTrue();
    fs.file("/from/file");

    assertThat(fs.run(attempt(1, 1), new Delete("/from/file", false))).isTrue();
    assertThat(fs.exists("/from/file")).isTrue();
  }

  @Test
  void aDeleteOfNothingIsTriedAgain() throws IOException {
    assertThat(fs.run(attempt(1, 0), new Delete("/from/file", false))).isFalse();
    fs.file("/from/file");

    assertThat(fs.run(attempt(1, 1), new Delete("/from/file", false))).isTrue();
    assertThat(fs.exists("/from/file")).isFalse();
  }

  @Test
  void renameMovesOnce() throws IOException {
    fs.file("/from/file");
    assertThat(fs.run(attempt(1, 0), new Rename("/from/file", "/to/file"))).isTrue();
    assertThat(fs.run(attempt(1, 1), new Rename("/from/file", "/to/file"))).isTrue();

    assertThat(fs.list("/from")).isEmpty();
    assertThat(fs.list("/to")).containsExactly("file");
  }

  @Test
  void rename2DoesNotOverwriteItsOwnResult() throws IOException {
    Rename2 rename = new Rename2("/from/file", "/to/file", EnumSet.of(Options.Rename.OVERWRITE));
    long moved = fs.file("/from/file");
    fs.run(attempt(1, 0), rename);
    long other = fs.file("/from/file");
    fs.run(attempt(1, 1), rename);

    assertThat(fs.info("/to/file").inode().id()).isEqualTo(moved);
    assertThat(fs.info("/from/file").inode().id()).isEqualTo(other);
  }

  @Test
  void anAttemptThatIsOvertakenByItsRepetitionDoesNothing() throws IOException {
    fs.file("/from/file");
    Delete delete = new Delete("/from/file", false);
    boolean answer =
        fs.run(
            attempt(1, 0),
            new Overtaken(
                delete,
                () -> {
                  fs.run(attempt(1, 1), delete);
                  fs.file("/from/file");
                }));

    assertThat(answer).isTrue();
    assertThat(fs.exists("/from/file")).isTrue();
  }

  @Test
  void answersSurviveACrash() throws IOException {
    fs.file("/from/file");
    fs.run(attempt(1, 0), new Rename("/from/file", "/to/file"));
    fs.crash();

    assertThat(fs.run(attempt(1, 1), new Rename("/from/file", "/to/file"))).isTrue();
  }

  @Test
  void answersAreForgottenAfterTenMinutes() throws Exception {
    fs.file("/from/file");
    fs.run(attempt(1, 0), new Delete("/from/file", false));
    fs.clock.advanceMs(Duration.ofMinutes(9).toMillis());
    BackgroundWork.expireRetries(fs.namespace());
    assertThat(fs.run(attempt(1, 1), new Delete("/from/file", false))).isTrue();

    fs.clock.advanceMs(Duration.ofMinutes(2).toMillis());
    BackgroundWork.expireRetries(fs.namespace());
    assertThat(fs.run(attempt(1, 2), new Delete("/from/file", false))).isFalse();
    assertThat(fs.rows(NamespaceKeys.RETRIES)).isZero();
  }

  @Test
  void aCreateWhoseFileIsGoneSaysSo() throws IOException {
    fs.run(attempt(1, 0), create("/from/file", 0644, "c", CreateFlag.CREATE));
    fs.run(new Delete("/from/file", false));

    assertThatThrownBy(
            () -> fs.run(attempt(1, 1), create("/from/file", 0644, "c", CreateFlag.CREATE)))
        .isInstanceOf(FileNotFoundException.class)
        .hasMessageContaining("/from/file");
  }

  /** Something that may be refused. */
  private interface Action {
    void run() throws IOException;
  }

  /** A delete that was read when something else happens, and is committed behind that. */
  private static final class Overtaken implements AtMostOnce<Boolean> {
    private final Delete delete;
    private Action meanwhile;

    private Overtaken(Delete delete, Action meanwhile) {
      this.delete = delete;
      this.meanwhile = meanwhile;
    }

    @Override
    public Boolean run(Tree tree) throws IOException {
      boolean result = delete.run(tree);
      Action action = meanwhile;
      meanwhile = null;
      if (action != null) {
        action.run();
      }
      return result;
    }

    @Override
    public Long answer(Boolean result) {
      return delete.answer(result);
    }

    @Override
    public Boolean repeat(Tree tree, long answer) {
      return delete.repeat(tree, answer);
    }
  }

  @Test
  void appendAnswersWithTheBlockThatItReopened() throws IOException {
    fs.fileWithBlock("/from/file", 100);
    AppendFile append = new AppendFile("/from/file", "c", false);
    AppendFile.Appended first = fs.run(attempt(1, 0), append);
    AppendFile.Appended second = fs.run(attempt(1, 1), append);

    assertThat(second.reopened().getBlock()).isEqualTo(first.reopened().getBlock());
    assertThat(second.status().inode()).isEqualTo(first.status().inode());
  }

  @Test
  void concatAndUpdatePipelineTakeEffectOnce() throws IOException {
    fs.fileWithBlock("/from/a", 100);
    fs.fileWithBlock("/from/b", 100);
    ConcatFiles concat = new ConcatFiles("/from/a", List.of("/from/b"));
    fs.run(attempt(1, 0), concat);
    fs.run(attempt(1, 1), concat);
    assertThat(fs.fileAt("/from/a").lengthBytes()).isEqualTo(200);

    long id = fs.open("/from/c");
    Block block = fs.addBlock("/from/c", id, null);
    Block updated = new Block(block.getBlockId(), 5, block.getGenerationStamp() + 1);
    UpdatePipeline update =
        new UpdatePipeline(NamespaceFixture.CLIENT, block, updated, List.of(), List.of());
    fs.run(attempt(2, 0), update);
    fs.run(attempt(2, 1), update);
    assertThat(fs.fileAt("/from/c").lengthBytes()).isEqualTo(5);
  }
}
