package io.acaciafs.kv.rocksdb.log.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.acaciafs.kv.StoreException;
import io.acaciafs.kv.rocksdb.common.Damage;
import io.acaciafs.kv.rocksdb.log.CommitLog;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the log holds after a crash, which here is to open a copy of its folder. */
class LocalLogTest {
  private static final int SEGMENT_BYTES = 1 << 18;
  private static final Duration LIMIT = Duration.ofSeconds(30);

  @TempDir private Path folder;
  private final Random random = new Random(1);
  private final List<byte[]> written = new ArrayList<>();

  private final FaultyDisk disk = new FaultyDisk();

  private long last;

  private int copies;
  private Path live;
  private LocalLog log;

  @BeforeEach
  void open() throws IOException {
    live = Files.createDirectory(folder.resolve("live"));
    log = open(recover(live, new ArrayList<>()));
  }

  @AfterEach
  void close() {
    log.close();
  }

  private LocalLog open(LogRecovery recovered) {
    return new LocalLog(recovered, SEGMENT_BYTES, disk);
  }

  private LogRecovery recover(Path where, List<byte[]> found) {
    LogRecovery recovery =
        new LogRecovery(
            where,
            (position, segment, from, to) -> found.add(Arrays.copyOfRange(segment, from, to)),
            disk);
    recovery.run();
    return recovery;
  }

  private void append(int bytes) {
    byte[] batch = new byte[bytes];
    random.nextBytes(batch);
    written.add(batch);
    last = log.append(ByteBuffer.wrap(batch));
  }

  private void appendAndWriteOut(int bytes) {
    append(bytes);
    writeOutAll();
  }

  private void writeOutAll() {
    log.release(last);
  }

  private List<byte[]> found(Path where) {
    List<byte[]> found = new ArrayList<>();
    recover(where, found);
    return found;
  }

  private Path crash() throws IOException {
    Path copy = Files.createDirectory(folder.resolve("copy-" + copies++));
    try (Stream<Path> files = Files.list(live)) {
      for (Path file : files.toList()) {
        Files.copy(file, copy.resolve(file.getFileName()));
      }
    }
    return copy;
  }

  /** Segments, oldest first. */
  private static List<Path> files(Path where) throws IOException {
    try (Stream<Path> files = Files.list(where)) {
      return files.filter(LogSegment::isSegment).sorted().toList();
    }
  }

  private static void overwrite(Path file, long from, byte[] bytes) throws IOException {
    byte[] all = Files.readAllBytes(file);
    System.arraycopy(bytes, 0, all, Math.toIntExact(from), bytes.length);
    Files.write(file, all);
  }

  @Test
  void allThatWasAppendedIsFoundInItsOrder() throws IOException {
    for (int i = 0; i < 300; i++) {
      append(1 + random.nextInt(10_000));
      if (random.nextBoolean()) {
        log.sync();
      }
    }
    append(2 * SEGMENT_BYTES);
    append(1);
    assertThat(files(live)).hasSizeGreaterThan(4);
    assertThat(found(crash())).containsExactlyElementsOf(written);
  }

  @Test
  void aFirstRecordThatIsLargerThanASegmentStays() throws IOException {
    append(2 * SEGMENT_BYTES); // after the open
    append(3 * SEGMENT_BYTES); // behind a full one
    append(10);
    assertThat(found(crash())).containsExactlyElementsOf(written);
    log.close();
    log = open(recover(live, new ArrayList<>()));
    append(2 * SEGMENT_BYTES); // after a recovery
    append(4 * SEGMENT_BYTES);
    log.sync();
    assertThat(found(crash())).containsExactlyElementsOf(written);
    for (int i = 0; i < 100; i++) {
      append(20_000);
    }
    assertThat(found(crash())).containsExactlyElementsOf(written);
  }

  @Test
  void noSegmentGoesBeforeItsRecordsDo() throws IOException {
    int inFiles = 0;
    for (int i = 0; i < 100; i++) {
      int stay = random.nextInt(3);
      append(random.nextInt(4) == 0 ? SEGMENT_BYTES + random.nextInt(100_000) : 30_000);
      inFiles = Math.max(inFiles, written.size() - stay);
      log.release(last - (written.size() - inFiles));
      if (random.nextInt(10) == 0) {
        log.close();
        written.clear();
        inFiles = 0;
        log = open(recover(live, written));
      }
      List<byte[]> found = found(crash());
      List<byte[]> stayed = written.subList(inFiles, written.size());
      assertThat(found.subList(found.size() - stayed.size(), found.size()))
          .containsExactlyElementsOf(stayed);
    }
  }

  @Test
  void aCopyOfALogWithoutRecordsDoesNotMissWhatComesMeanwhile() throws IOException {
    Path copy = Files.createDirectory(folder.resolve("copied"));
    try (CommitLog.Snapshot snapshot = log.snapshot()) {
      append(2 * SEGMENT_BYTES);
      append(2 * SEGMENT_BYTES);
      snapshot.copyTo(copy);
    }
    assertThat(found(copy)).containsExactlyElementsOf(written);
  }

  @Test
  void aFileThatIsThereIsNotWrittenOver() throws IOException {
    append(200_000);
    Path taken = live.resolve("0000000000000002.commits");
    Files.writeString(taken, "taken");
    assertThatThrownBy(() -> append(200_000)).isInstanceOf(StoreException.class);
    assertThat(taken).hasContent("taken");
  }

  @Test
  void numbersGoOnAfterEachRecovery() throws IOException {
    for (int i = 1; i <= 10; i++) {
      append(5_000);
      log.close();
      List<byte[]> found = new ArrayList<>();
      LogRecovery recovery = recover(live, found);
      assertThat(recovery.last()).isEqualTo(i);
      assertThat(found).containsExactlyElementsOf(written);
      log = open(recovery);
    }
  }

  @Test
  void aRecordThatWasPromisedToNobodyMayBeInPart() throws IOException {
    append(5_000);
    log.sync();
    int begin = LogRecord.HEADER_BYTES + 5_000;
    append(9_000);
    append(9_000);
    for (int i = 0; i < 50; i++) {
      Path copy = crash();
      int damaged = begin + random.nextInt(9_000);
      overwrite(files(copy).get(0), damaged, new byte[] {(byte) (random.nextInt(255) + 1), 1, 2});
      List<byte[]> found = new ArrayList<>();
      LogRecovery recovery = recover(copy, found);
      assertThat(found).containsExactly(written.get(0));

      // What comes next is not taken for what was behind the damage, nor the other way round.
      LocalLog next = open(recovery);
      byte[] more = {(byte) i};
      next.append(ByteBuffer.wrap(more));
      next.close();
      assertThat(found(copy)).containsExactly(written.get(0), more);
    }
  }

  @Test
  void damageToWhatWasSyncedIsRefused() throws IOException {
    for (int i = 0; i < 20; i++) {
      append(5_000);
      log.sync();
    }
    for (int i = 0; i < 50; i++) {
      Path copy = crash();
      Path file = files(copy).get(0);
      int record = random.nextInt(19);
      int damaged = record * (LogRecord.HEADER_BYTES + 5_000) + random.nextInt(5_000);
      byte before = Files.readAllBytes(file)[damaged];
      overwrite(file, damaged, new byte[] {(byte) (before + 1)});
      assertThatThrownBy(() -> found(copy))
          .isInstanceOf(StoreException.class)
          .hasMessage(
              "The log is damaged: record %d cannot be read from %s. %s",
              record + 1, file, Damage.adviceFor(copy));
    }
  }

  @Test
  void aSegmentThatIsMissingIsNoticed() throws IOException {
    while (files(live).size() < 4) {
      append(50_000);
    }
    Path copy = crash();
    Files.delete(files(copy).get(1));
    assertThatThrownBy(() -> found(copy))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("The log is damaged");
  }

  @Test
  void theNewestSegmentIsMissed() throws IOException {
    for (int i = 0; i < 30; i++) {
      append(20_000);
      log.sync();
      Path copy = crash();
      Path newest = files(copy).get(files(copy).size() - 1);
      Files.delete(newest);
      assertThatThrownBy(() -> found(copy))
          .isInstanceOf(StoreException.class)
          .hasMessageStartingWith("The log is damaged: its segment " + newest.getFileName());
    }
    Path copy = crash();
    for (Path file : files(copy)) {
      Files.delete(file);
    }
    assertThatThrownBy(() -> found(copy)).isInstanceOf(StoreException.class);
  }

  @Test
  void aSegmentThatWasCutOffIsMissed() throws IOException {
    for (int i = 0; i < 30; i++) {
      append(20_000);
    }
    log.sync();
    for (int i = 0; i < 50; i++) {
      Path copy = crash();
      Path cut = files(copy).get(random.nextInt(files(copy).size()));
      int left = random.nextInt(SEGMENT_BYTES);
      Files.write(cut, Arrays.copyOf(Files.readAllBytes(cut), left));
      if (cut.equals(files(copy).get(files(copy).size() - 1))) {
        assertThatThrownBy(() -> found(copy))
            .isInstanceOf(StoreException.class)
            .hasMessageStartingWith("The log is damaged: %s was cut off", cut);
      } else {
        try {
          assertThat(found(copy)).containsExactlyElementsOf(written);
        } catch (StoreException e) {
          assertThat(e).hasMessageMatching("The log is damaged: record .* cannot be read.*");
        }
      }
    }
  }

  @Test
  void theBeginningIsMissedWhenItIsNeeded() throws IOException {
    for (int i = 0; i < 40; i++) {
      append(20_000);
    }
    Path copy = crash();
    Path oldest = files(copy).get(0);
    Files.delete(oldest);
    long second = LogSegment.of(files(copy).get(0), disk).first();
    assertThatThrownBy(() -> found(copy))
        .hasMessageStartingWith(
            "The log is damaged: records 1 to %d are missing from %s", second - 1, copy);
    Files.copy(live.resolve(oldest.getFileName()), oldest);
    assertThat(found(copy)).hasSize(40);
    writeOutAll();
    Files.delete(oldest);
    Files.copy(
        live.resolve(FolderMark.FILE),
        copy.resolve(FolderMark.FILE),
        StandardCopyOption.REPLACE_EXISTING);
    assertThat(found(copy)).as("it is in files").hasSizeLessThan(20);
  }

  @Test
  void whatALossOfPowerBringsBackIsNotTakenForTheLog() throws IOException {
    append(20_000);
    Path first = files(live).get(0);
    byte[] before = Files.readAllBytes(first);
    writeOutAll();
    log.close();
    assertThat(files(live)).isEmpty();
    Files.write(first, before);
    LogRecovery recovery = recover(live, new ArrayList<>());
    assertThat(recovery.last()).as("numbers go on").isEqualTo(1);
    assertThat(recovery.segments()).isEmpty();
    log = open(recovery);
    append(20_000);
    assertThat(found(crash())).containsExactly(written.get(1));
  }

  @Test
  void aMarkThatIsNotAsItWasWrittenIsRefused() throws IOException {
    append(20_000);
    Path mark = live.resolve(FolderMark.FILE);
    byte[] whole = Files.readAllBytes(mark);
    for (int left = 0; left < whole.length; left++) {
      Files.write(mark, Arrays.copyOf(whole, left));
      assertThatThrownBy(() -> FolderMark.read(live))
          .isInstanceOf(StoreException.class)
          .hasMessageContaining("its file MARK is not as it was written");
    }
  }

  @Test
  void aRestartInTheMidstOfAnotherOneLosesNothing() throws IOException {
    append(20_000);
    append(20_000);
    log.sync();
    for (int i = 0; i < 5; i++) {
      Path copy = crash();
      LocalLog next = open(recover(copy, new ArrayList<>()));
      assertThat(found(copy)).containsExactlyElementsOf(written);
      next.close();
      assertThat(found(copy)).containsExactlyElementsOf(written);
    }
  }

  @Test
  void segmentsAreUsedAgainWhenTheirRowsAreInFiles() throws IOException {
    for (int i = 0; i < 200; i++) {
      appendAndWriteOut(20_000);
    }
    assertThat(files(live)).hasSize(2).allSatisfy(file -> assertThat(file).hasSize(SEGMENT_BYTES));
    List<byte[]> found = found(crash());
    assertThat(found).hasSizeLessThanOrEqualTo(2 * SEGMENT_BYTES / 20_000);
    assertThat(written.subList(written.size() - found.size(), written.size()))
        .containsExactlyElementsOf(found);
  }

  @Test
  void aSegmentEndsWhenItIsAskedFor() throws IOException {
    assertThat(log.roll()).as("the segment is empty").isEqualTo(1);
    append(1000);
    append(1000);
    assertThat(log.roll()).isEqualTo(3);
    assertThat(log.roll()).as("there is nothing to end").isEqualTo(3);
    assertThat(files(live)).last().isEqualTo(live.resolve(LogSegment.nameOf(3)));
    assertThat(FolderMark.read(live).lastDurable()).isEqualTo(2);
    append(1000);
    assertThat(found(crash())).containsExactlyElementsOf(written);
  }

  @Test
  void nothingIsLeftToRead() throws IOException {
    appendAndWriteOut(20_000);
    log.close();
    assertThat(files(live)).isEmpty();
  }

  @Test
  void whatIsNotWrittenOutIsLeft() throws IOException {
    append(20_000);
    log.close();
    assertThat(found(live)).containsExactlyElementsOf(written);
  }

  @Test
  void aSegmentStaysWhileARowOfItIsNotWrittenOut() throws IOException {
    for (int i = 0; i < 51; i++) {
      append(20_000);
    }
    log.release(1);
    append(SEGMENT_BYTES);
    assertThat(found(crash())).hasSize(52);
  }

  @Test
  void segmentsThatAreTooManyGo() throws IOException {
    while (files(live).size() < 9) {
      append(50_000);
    }
    int before = found(crash()).size();
    int writtenOut = written.size();
    writeOutAll();
    for (int i = 0; i < SEGMENT_BYTES / 50_000; i++) {
      append(50_000);
    }
    assertThat(files(live)).hasSize(5);
    List<byte[]> stay = written.subList(writtenOut, written.size());
    assertThat(found(crash())).hasSizeLessThan(before).endsWith(stay.toArray(byte[][]::new));
  }

  @Test
  void aCopyHoldsWhatWasNotWrittenOutWhenItBegan() throws IOException {
    appendAndWriteOut(20_000);
    Path copy = Files.createDirectory(folder.resolve("copied"));
    try (CommitLog.Snapshot snapshot = log.snapshot()) {
      for (int i = 0; i < 50; i++) {
        appendAndWriteOut(20_000);
      }
      snapshot.copyTo(copy);
    }
    assertThat(found(copy)).containsExactlyElementsOf(written);
  }

  @Test
  void anInterruptedThreadWritesAndSyncsLikeAnyOther() throws IOException {
    for (int i = 0; i < 30; i++) {
      Thread.currentThread().interrupt();
      append(20_000);
      log.sync();
      assertThat(Thread.interrupted()).isTrue();
    }
    assertThat(found(crash())).containsExactlyElementsOf(written);
  }

  @Test
  void afterAFailureNothingIsPromised() throws IOException {
    append(10);
    Path file = files(live).get(0);
    log.close();
    Files.delete(file);
    assertThatThrownBy(() -> append(10)).isInstanceOf(StoreException.class);
    Files.write(file, new byte[SEGMENT_BYTES]);
    assertThat(log.sync())
        .failsWithin(Duration.ZERO)
        .withThrowableOfType(ExecutionException.class)
        .withCauseInstanceOf(StoreException.class)
        .withMessageContaining("The log has failed");
    assertThatThrownBy(() -> append(10)).hasMessage("The log has failed");
  }

  /** The system reports a failed sync once; a further sync of the same file succeeds. */
  @Test
  void anAppendThatWaitedWhileAnotherThreadFailedBeginsNoSegment() throws Exception {
    append(SEGMENT_BYTES / 2);
    AtomicReference<Throwable> failure = new AtomicReference<>();
    Thread appender = new Thread(() -> append(SEGMENT_BYTES), "appender");
    appender.setUncaughtExceptionHandler((thread, e) -> failure.set(e));
    disk.beforeSync(
        () -> {
          if (appender.getState() == Thread.State.NEW) {
            appender.start();
            awaitLock(appender, "makeRoom");
          }
        });
    disk.failSyncAfter(0);
    assertThat(log.sync()).isCompletedExceptionally();
    appender.join(LIMIT.toMillis());
    assertThat(failure.get()).hasStackTraceContaining("The log has failed");
    assertThat(files(live)).hasSize(1);
  }

  /** The other way round: a sync must not prove what an append could not make durable. */
  @Test
  void aSyncThatWaitedWhileAnAppendFailedPromisesNothing() throws Exception {
    append(SEGMENT_BYTES / 2);
    AtomicReference<CompletableFuture<Void>> synced = new AtomicReference<>();
    Thread syncer = new Thread(() -> synced.set(log.sync()), "syncer");
    disk.beforeSync(
        () -> {
          if (syncer.getState() == Thread.State.NEW) {
            syncer.start();
            awaitLock(syncer, "force");
          }
        });
    disk.failSyncAfter(0, new SlowlyTold(syncer));
    assertThatThrownBy(() -> append(SEGMENT_BYTES))
        .message()
        .contains("Input/output error")
        .containsOnlyOnce(" the log in ");
    syncer.join(LIMIT.toMillis());
    assertThat(synced.get()).isCompletedExceptionally();
  }

  /** An error whose thread takes so long with it that another one would end if nothing held it. */
  private static final class SlowlyTold extends IOException {
    private static final long serialVersionUID = 1;
    private static final long MEANWHILE_MS = 200;

    private final transient Thread other;

    SlowlyTold(Thread other) {
      super("Input/output error");
      this.other = other;
    }

    @Override
    public String getMessage() {
      try {
        other.join(MEANWHILE_MS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
      return super.getMessage();
    }
  }

  private static void awaitLock(Thread thread, String method) {
    long deadlineNs = System.nanoTime() + LIMIT.toNanos();
    while (thread.getState() != Thread.State.BLOCKED
        || Arrays.stream(thread.getStackTrace())
            .noneMatch(frame -> frame.getMethodName().equals(method))) {
      assertThat(System.nanoTime()).as("%s waits", thread).isLessThan(deadlineNs);
      Thread.onSpinWait();
    }
  }
}
