package io.acaciafs.kv.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.acaciafs.kv.StoreException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the log holds after a crash, which here is to open a copy of its folder. */
class CommitLogTest {
  private static final int MAX_BYTES = 1 << 20;
  private static final int SEGMENT_BYTES = MAX_BYTES / 4;
  private static final int FAMILY = 3;
  private static final Map<Integer, Long> NOT_WRITTEN_OUT = Map.of(FAMILY, 1L);

  @TempDir private Path folder;
  private final Random random = new Random(1);
  private final List<byte[]> written = new ArrayList<>();
  private final List<Set<Integer>> flushed = new ArrayList<>();
  private boolean canFlush;
  private int copies;
  private Path live;
  private Flushes flushes;
  private CommitLog log;

  @BeforeAll
  static void loadLibrary() {
    RocksDbStore.loadLibrary();
  }

  @BeforeEach
  void open() throws IOException {
    live = Files.createDirectory(folder.resolve("live"));
    flushes = new Flushes();
    log = open(recover(live, new ArrayList<>()));
  }

  @AfterEach
  void close() {
    log.close();
    flushes.close();
  }

  private CommitLog open(LogRecovery recovered) {
    return new CommitLog(
        recovered,
        MAX_BYTES,
        flushes,
        new CommitLog.Flusher() {
          @Override
          public void flush(Set<Integer> families) {
            flushed.add(families);
          }

          @Override
          public void flushNow(Set<Integer> families) {
            if (!canFlush) {
              throw new StoreException("no room");
            }
            flushed.add(families);
          }
        });
  }

  private static LogRecovery recover(Path where, List<byte[]> found) {
    LogRecovery recovery =
        new LogRecovery(
            where,
            batch -> {
              found.add(batch);
              return NOT_WRITTEN_OUT;
            });
    recovery.run();
    return recovery;
  }

  private void append(int bytes, Map<Integer, Long> rows) {
    byte[] batch = new byte[bytes];
    random.nextBytes(batch);
    written.add(batch);
    log.append(ByteBuffer.wrap(batch)).became(rows);
  }

  private List<byte[]> found(Path where) {
    List<byte[]> found = new ArrayList<>();
    recover(where, found);
    return found;
  }

  private Path crash() throws IOException {
    Path copy = Files.createDirectory(folder.resolve("copy-" + copies++));
    for (Path file : files(live)) {
      Files.copy(file, copy.resolve(file.getFileName()));
    }
    return copy;
  }

  private static List<Path> files(Path where) throws IOException {
    try (Stream<Path> files = Files.list(where)) {
      return files.sorted().toList();
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
      append(1 + random.nextInt(10_000), NOT_WRITTEN_OUT);
      if (random.nextBoolean()) {
        log.sync();
      }
    }
    append(2 * SEGMENT_BYTES, NOT_WRITTEN_OUT);
    append(1, NOT_WRITTEN_OUT);
    assertThat(files(live)).hasSizeGreaterThan(4);
    assertThat(found(crash())).containsExactlyElementsOf(written);
  }

  @Test
  void numbersGoOnAfterEachRecovery() throws IOException {
    for (int i = 1; i <= 10; i++) {
      append(5_000, NOT_WRITTEN_OUT);
      log.close();
      List<byte[]> found = new ArrayList<>();
      LogRecovery recovery = recover(live, found);
      assertThat(recovery.last()).isEqualTo(i);
      assertThat(found).containsExactlyElementsOf(written);
      log = open(recovery);
    }
    assertThat(flushed).isNotEmpty().allMatch(Set.of(FAMILY)::equals);
  }

  @Test
  void aRecordThatWasPromisedToNobodyMayBeInPart() throws IOException {
    append(5_000, NOT_WRITTEN_OUT);
    log.sync();
    int begin = LogRecord.HEADER_BYTES + 5_000;
    append(9_000, NOT_WRITTEN_OUT);
    append(9_000, NOT_WRITTEN_OUT);
    for (int i = 0; i < 50; i++) {
      Path copy = crash();
      int damaged = begin + random.nextInt(9_000);
      overwrite(files(copy).get(0), damaged, new byte[] {(byte) (random.nextInt(255) + 1), 1, 2});
      List<byte[]> found = new ArrayList<>();
      LogRecovery recovery = recover(copy, found);
      assertThat(found).containsExactly(written.get(0));

      // What comes next is not taken for what was behind the damage, nor the other way round.
      CommitLog next = open(recovery);
      byte[] more = {(byte) i};
      next.append(ByteBuffer.wrap(more)).became(NOT_WRITTEN_OUT);
      next.close();
      assertThat(found(copy)).containsExactly(written.get(0), more);
    }
  }

  @Test
  void damageToWhatWasSyncedIsRefused() throws IOException {
    for (int i = 0; i < 20; i++) {
      append(5_000, NOT_WRITTEN_OUT);
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
          .hasMessage("The log is damaged: record %d cannot be read from %s", record + 1, file);
    }
  }

  @Test
  void aSegmentThatIsMissingIsNoticed() throws IOException {
    while (files(live).size() < 4) {
      append(50_000, NOT_WRITTEN_OUT);
    }
    Path copy = crash();
    Files.delete(files(copy).get(1));
    assertThatThrownBy(() -> found(copy))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("The log is damaged");
  }

  @Test
  void segmentsAreUsedAgainWhenTheirRowsAreInFiles() throws IOException {
    for (int i = 0; i < 200; i++) {
      append(20_000, Map.of());
    }
    assertThat(files(live)).hasSize(2).allSatisfy(file -> assertThat(file).hasSize(SEGMENT_BYTES));
    List<byte[]> found = found(crash());
    assertThat(found).hasSizeLessThanOrEqualTo(2 * SEGMENT_BYTES / 20_000);
    assertThat(written.subList(written.size() - found.size(), written.size()))
        .containsExactlyElementsOf(found);
    assertThat(flushed).isEmpty();
  }

  @Test
  void nothingIsLeftToRead() throws IOException {
    canFlush = true;
    append(20_000, NOT_WRITTEN_OUT);
    log.close();
    assertThat(flushed).containsExactly(Set.of(FAMILY));
    assertThat(files(live)).isEmpty();
  }

  @Test
  void whatCannotBeWrittenOutIsLeft() throws IOException {
    append(20_000, NOT_WRITTEN_OUT);
    log.close();
    assertThat(found(live)).containsExactlyElementsOf(written);
  }

  @Test
  void aSegmentStaysWhileARecordOfItIsNotWritten() throws IOException {
    log.append(ByteBuffer.wrap(new byte[20_000]));
    for (int i = 0; i < 50; i++) {
      append(20_000, Map.of());
    }
    assertThat(found(crash())).hasSize(51);
  }

  @Test
  void segmentsThatAreTooManyGo() throws IOException {
    List<LogSegment> waiting = new ArrayList<>();
    while (files(live).size() < 9) {
      waiting.add(log.append(ByteBuffer.wrap(new byte[50_000])));
    }
    waiting.forEach(segment -> segment.became(Map.of()));
    int before = found(crash()).size();
    for (int i = 0; i < SEGMENT_BYTES / 50_000; i++) {
      append(50_000, NOT_WRITTEN_OUT);
    }
    assertThat(files(live)).hasSize(5);
    List<byte[]> found = found(crash());
    assertThat(found).hasSizeLessThan(before).endsWith(written.toArray(byte[][]::new));
  }

  @Test
  void whatTheLogIsTooLongForIsWrittenOut() {
    for (int i = 0; i < 3; i++) {
      append(SEGMENT_BYTES / 2 + 1, NOT_WRITTEN_OUT);
    }
    assertThat(flushed).isEmpty();
    append(SEGMENT_BYTES / 2 + 1, NOT_WRITTEN_OUT);
    assertThat(flushed).containsExactly(Set.of(FAMILY));
    append(SEGMENT_BYTES / 2 + 1, NOT_WRITTEN_OUT);
    append(SEGMENT_BYTES / 2 + 1, NOT_WRITTEN_OUT);
    assertThat(flushed).hasSize(1);
    append(SEGMENT_BYTES / 2 + 1, NOT_WRITTEN_OUT);
    assertThat(flushed).hasSize(2);
  }

  @Test
  void aCopyHoldsWhatWasNotWrittenOutWhenItBegan() throws IOException {
    append(20_000, Map.of());
    log.beginCopy();
    for (int i = 0; i < 50; i++) {
      append(20_000, Map.of());
    }
    Path copy = Files.createDirectory(folder.resolve("copied"));
    log.copyTo(copy);
    log.endCopy();
    assertThat(found(copy)).containsExactlyElementsOf(written);
  }

  @Test
  void anInterruptedThreadWritesAndSyncsLikeAnyOther() throws IOException {
    for (int i = 0; i < 30; i++) {
      Thread.currentThread().interrupt();
      append(20_000, NOT_WRITTEN_OUT);
      log.sync();
      assertThat(Thread.interrupted()).isTrue();
    }
    assertThat(found(crash())).containsExactlyElementsOf(written);
  }

  @Test
  void afterAFailureNothingIsPromised() throws IOException {
    append(10, NOT_WRITTEN_OUT);
    Path file = files(live).get(0);
    log.close();
    Files.delete(file);
    assertThatThrownBy(() -> append(10, NOT_WRITTEN_OUT)).isInstanceOf(StoreException.class);
    Files.write(file, new byte[SEGMENT_BYTES]);
    assertThatThrownBy(() -> log.sync()).hasMessage("The log has failed");
    assertThatThrownBy(() -> append(10, NOT_WRITTEN_OUT)).hasMessage("The log has failed");
  }
}
