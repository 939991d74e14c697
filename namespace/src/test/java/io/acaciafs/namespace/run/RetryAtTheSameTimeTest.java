package io.acaciafs.namespace.run;

import static io.acaciafs.namespace.testkit.NamespaceFixture.SUPERUSER;
import static io.acaciafs.namespace.testkit.NamespaceFixture.create;
import static org.assertj.core.api.Assertions.assertThat;

import io.acaciafs.kv.Store;
import io.acaciafs.kv.memory.Faults;
import io.acaciafs.kv.memory.MemoryStore;
import io.acaciafs.kv.rocksdb.RocksDbOptions;
import io.acaciafs.kv.rocksdb.RocksDbStore;
import io.acaciafs.namespace.context.CallId;
import io.acaciafs.namespace.context.Caller;
import io.acaciafs.namespace.model.Parallel;
import io.acaciafs.namespace.op.attribute.SetXAttr;
import io.acaciafs.namespace.op.directory.Delete;
import io.acaciafs.namespace.op.directory.Rename;
import io.acaciafs.namespace.op.directory.Rename2;
import io.acaciafs.namespace.op.file.AppendFile;
import io.acaciafs.namespace.op.file.ConcatFiles;
import io.acaciafs.namespace.testkit.ManualClock;
import io.acaciafs.namespace.testkit.NamespaceFixture;
import io.acaciafs.namespace.tree.InodeStatus;
import io.acaciafs.namespace.tree.Tree;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.concurrent.Callable;
import org.apache.hadoop.fs.CreateFlag;
import org.apache.hadoop.fs.Options;
import org.apache.hadoop.fs.XAttr;
import org.apache.hadoop.fs.XAttrSetFlag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A client has given up an attempt of a call that the NameNode is still busy with: of the attempts
 * that meet there one takes effect, and all get its answer.
 */
class RetryAtTheSameTimeTest {
  private static final byte[] CLIENT_ID = "sixteen bytes id".getBytes();
  private static final int ROUNDS = 100;
  private static final int ATTEMPTS = 3;

  @TempDir private Path folder;

  private static Caller attempt(int callId, int retryCount) {
    return SUPERUSER.in(new CallId(CLIENT_ID, callId, retryCount));
  }

  @Test
  void memory() throws IOException {
    run(new MemoryStore());
  }

  @Test
  void rocksDb() throws IOException {
    run(RocksDbStore.open(folder, NamespaceFixture.tables(), RocksDbOptions.defaults()));
  }

  private static void run(Store store) throws IOException {
    try (NamespaceFixture fs =
        new NamespaceFixture(store, NamespaceFixture.settings(4, 0), new ManualClock())) {
      for (int round = 0; round < ROUNDS; round++) {
        check(fs, round * 10, "/" + round);
      }
    }
  }

  private static void check(NamespaceFixture fs, int callId, String folder) throws IOException {
    assertThat(
            together(
                fs, callId, create(folder + "/a/b", 0644, "c", CreateFlag.CREATE), s -> s.inode()))
        .containsOnly(fs.fileAt(folder + "/a/b"));

    CreateFlag[] overwrite = {CreateFlag.CREATE, CreateFlag.OVERWRITE};
    assertThat(
            together(fs, callId + 1, create(folder + "/c", 0644, "c", overwrite), s -> s.inode()))
        .containsOnly(fs.fileAt(folder + "/c"));

    fs.fileWithBlock(folder + "/d", 100);
    assertThat(
            together(
                fs,
                callId + 2,
                new AppendFile(folder + "/d", "c", false),
                appended -> List.of(appended.reopened().getBlock(), appended.status().inode())))
        .hasSize(ATTEMPTS)
        .containsOnly(
            List.of(
                fs.run(attempt(callId + 2, 1), new AppendFile(folder + "/d", "c", false))
                    .reopened()
                    .getBlock(),
                fs.fileAt(folder + "/d")));

    fs.fileWithBlock(folder + "/e", 100);
    fs.fileWithBlock(folder + "/f", 100);
    together(fs, callId + 3, new ConcatFiles(folder + "/e", List.of(folder + "/f")), n -> n);
    assertThat(fs.fileAt(folder + "/e").lengthBytes()).isEqualTo(200);

    XAttr xattr = new XAttr.Builder().setName("x").build();
    EnumSet<XAttrSetFlag> flags = EnumSet.of(XAttrSetFlag.CREATE);
    together(fs, callId + 4, new SetXAttr(folder, xattr, flags), n -> n);

    Rename2 rename =
        new Rename2(folder + "/e", folder + "/c", EnumSet.of(Options.Rename.OVERWRITE));
    together(fs, callId + 5, rename, n -> n);
    assertThat(fs.fileAt(folder + "/c").lengthBytes()).isEqualTo(200);

    assertThat(together(fs, callId + 6, new Delete(folder, true), n -> n)).containsOnly(true);
  }

  @FunctionalInterface
  private interface Answer<T> {
    Object of(T result);
  }

  /** Attempts of one call, at the same time. */
  private static <T> List<Object> together(
      NamespaceFixture fs, int callId, NamespaceOperation<T> operation, Answer<T> answer) {
    List<Callable<Object>> attempts = new ArrayList<>();
    for (int i = 0; i < ATTEMPTS; i++) {
      Caller caller = attempt(callId, i);
      attempts.add(() -> answer.of(fs.run(caller, operation)));
    }
    return Parallel.run(attempts);
  }

  @Test
  void anAttemptThatIsOvertakenByItsRepetitionDoesNothing() throws IOException {
    try (NamespaceFixture fs = new NamespaceFixture()) {
      fs.file("/file");
      Delete delete = new Delete("/file", false);
      Action repetition =
          () -> {
            fs.run(attempt(1, 1), delete);
            fs.file("/file");
          };

      assertThat(fs.run(attempt(1, 0), new Overtaken<>(delete, repetition))).isTrue();
      assertThat(fs.exists("/file")).isTrue();
    }
  }

  @Test
  void anOvertakenAttemptFindsTheAnswerWhereThePathLedBefore() throws IOException {
    Store shared = NamespaceFixture.sharedStore(Faults.none());
    try (NamespaceFixture fs =
        new NamespaceFixture(shared, NamespaceFixture.settings(4, 0), new ManualClock())) {
      fs.file("/from/file");
      Delete delete = new Delete("/from/file", false);
      Action repetition =
          () -> {
            fs.run(attempt(1, 1), delete);
            fs.run(new Rename("/from", "/moved"));
            fs.file("/from/file");
          };

      assertThat(fs.run(attempt(1, 0), new Overtaken<>(delete, repetition))).isTrue();
      assertThat(fs.exists("/from/file")).isTrue();
    }
  }

  @Test
  void aCreateThatComesBehindItsRepetitionDoesNotOverwriteWhatThatHasMade() throws IOException {
    try (NamespaceFixture fs = new NamespaceFixture()) {
      CreateFlag[] overwrite = {CreateFlag.CREATE, CreateFlag.OVERWRITE};
      AtMostOnce<InodeStatus> create = create("/new/newer/file", 0644, "c", overwrite);
      long repetition = fs.run(attempt(1, 1), create).inode().id();
      long late = fs.run(attempt(1, 0), create).inode().id();

      assertThat(late).isEqualTo(repetition);
      assertThat(fs.info("/new/newer/file").inode().id()).isEqualTo(repetition);
    }
  }

  /** Something that may be refused. */
  private interface Action {
    void run() throws IOException;
  }

  /** An operation that was read when something else happens, and is committed behind that. */
  private static final class Overtaken<T> implements AtMostOnce<T> {
    private final AtMostOnce<T> operation;
    private Action meanwhile;

    private Overtaken(AtMostOnce<T> operation, Action meanwhile) {
      this.operation = operation;
      this.meanwhile = meanwhile;
    }

    @Override
    public T run(Tree tree) throws IOException {
      T result = operation.run(tree);
      Action action = meanwhile;
      meanwhile = null;
      if (action != null) {
        action.run();
      }
      return result;
    }

    @Override
    public Long answer(T result) {
      return operation.answer(result);
    }

    @Override
    public T repeat(Tree tree, long answer) throws IOException {
      return operation.repeat(tree, answer);
    }
  }
}
