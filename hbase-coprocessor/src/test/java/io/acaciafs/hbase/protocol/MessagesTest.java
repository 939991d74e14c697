package io.acaciafs.hbase.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Messages come out as they went in, and bytes that are none are refused. */
class MessagesTest {
  private static final byte[] ROW = bytes("row");
  private static final byte[] OTHER = bytes("other row");
  private static final byte[] COLUMN = bytes("v");

  @Test
  void aCommitKeepsItsTransactions() {
    Condition condition =
        new Condition(ROW, Family.DATA, COLUMN, Condition.Kind.PREFIX, bytes("begin"));
    Change change =
        new Change(OTHER, Change.Kind.PUT, Family.RECORDS, bytes("r"), Long.MIN_VALUE, bytes("x"));
    CommitRequest sent =
        new CommitRequest(
            new ConditionalWrite(List.of(condition), List.of()),
            List.of(
                new ConditionalWrite(List.of(), List.of(change, change)),
                new ConditionalWrite(List.of(condition), List.of())));

    CommitRequest received = CommitRequest.decode(sent.encode());

    assertThat(received.common()).usingRecursiveComparison().isEqualTo(sent.common());
    assertThat(received.transactions()).usingRecursiveComparison().isEqualTo(sent.transactions());
  }

  /** A row that many conditions and changes name is there once. */
  @Test
  void aRowIsSentOnce() {
    byte[] row = new byte[1_000];
    Condition condition = Condition.of(row, Family.DATA, COLUMN, Condition.Kind.ABSENT);
    CommitRequest request =
        new CommitRequest(
            new ConditionalWrite(List.of(condition, condition, condition), List.of()), List.of());
    assertThat(request.encode().length).isLessThan(1_100);
  }

  @Test
  void aReplyKeepsWhichWereRefused() {
    BitSet refused = new BitSet();
    refused.set(3);
    refused.set(64);
    CommitReply received = CommitReply.decode(new CommitReply(true, refused).encode());
    assertThat(received.isHeld()).isTrue();
    assertThat(received.refused()).isEqualTo(refused);
    assertThat(CommitReply.decode(new CommitReply(false, new BitSet()).encode()).isHeld())
        .isFalse();
  }

  @Test
  void aReadKeepsRowsAndPages() {
    ReadRequest request =
        ReadRequest.decode(
            new ReadRequest(List.of(ROW, OTHER), List.of(new PageRequest(ROW, OTHER, 128)))
                .encode());
    assertThat(request.rows()).containsExactly(ROW, OTHER);
    assertThat(request.pages()).hasSize(1);
    assertThat(request.pages().get(0).first()).isEqualTo(ROW);
    assertThat(request.pages().get(0).end()).isEqualTo(OTHER);
    assertThat(request.pages().get(0).limit()).isEqualTo(128);

    StoredRow row = new StoredRow(List.of(new StoredCell(COLUMN, 1, bytes("value"))));
    StoredPage.Builder page = new StoredPage.Builder();
    page.add(ROW, row);
    page.add(OTHER, StoredRow.EMPTY);
    ReadReply received =
        ReadReply.decode(
            new ReadReply(List.of(StoredRow.EMPTY, row), List.of(page.build(true))).encode());
    assertThat(received.rows().get(0)).isSameAs(StoredRow.EMPTY);
    assertThat(received.rows().get(1)).usingRecursiveComparison().isEqualTo(untold(row));
    assertThat(received.pages().get(0).hasMore()).isTrue();
    List<byte[]> keys = new ArrayList<>();
    List<StoredRow> rows = new ArrayList<>();
    received
        .pages()
        .get(0)
        .forEach(
            (key, stored) -> {
              keys.add(key);
              rows.add(stored);
            });
    assertThat(keys).containsExactly(ROW, OTHER);
    assertThat(rows.get(0)).usingRecursiveComparison().isEqualTo(untold(row));
    assertThat(rows.get(1)).isSameAs(StoredRow.EMPTY);
  }

  /** Timestamps are not told. */
  private static StoredRow untold(StoredRow row) {
    return new StoredRow(
        row.cells().stream()
            .map(cell -> new StoredCell(cell.qualifier(), 0, cell.value()))
            .collect(Collectors.toList()));
  }

  /** Versions without pages end their messages behind the rows. */
  @Test
  void messagesWithoutPagesAreThoseOfEarlierVersions() {
    MessageOutput old = new MessageOutput();
    old.writeInt(1);
    old.writeBytes(ROW);
    assertThat(new ReadRequest(List.of(ROW), List.of()).encode()).isEqualTo(old.toByteArray());
    assertThat(ReadRequest.decode(old.toByteArray()).pages()).isEmpty();
    byte[] oldReply = {0};
    assertThat(new ReadReply(List.of(), List.of()).encode()).isEqualTo(oldReply);
    assertThat(ReadReply.decode(oldReply).pages()).isEmpty();
  }

  @Test
  void numbersOfAllSizes() {
    MessageOutput output = new MessageOutput();
    int[] numbers = {0, 1, 127, 128, 16_383, 16_384, Integer.MAX_VALUE, -1};
    for (int number : numbers) {
      output.writeInt(number);
    }
    output.writeLong(Long.MIN_VALUE);
    MessageInput input = new MessageInput(output.toByteArray());
    for (int number : numbers) {
      assertThat(input.readInt()).isEqualTo(number);
    }
    assertThat(input.readLong()).isEqualTo(Long.MIN_VALUE);
    assertThat(input.isAtEnd()).isTrue();
  }

  /** Whatever arrives is decoded or refused, and takes no memory that it does not fill. */
  @Test
  void brokenBytesAreRefused() {
    Condition condition = Condition.of(ROW, Family.DATA, COLUMN, Condition.Kind.ABSENT);
    byte[] good =
        new CommitRequest(new ConditionalWrite(List.of(condition), List.of()), List.of()).encode();
    for (int length = 0; length < good.length; length++) {
      byte[] cut = Arrays.copyOf(good, length);
      assertThatThrownBy(() -> CommitRequest.decode(cut))
          .isInstanceOf(IllegalArgumentException.class);
    }
    Random random = new Random(1);
    for (int i = 0; i < 20_000; i++) {
      byte[] changed = good.clone();
      changed[random.nextInt(changed.length)] = (byte) random.nextInt();
      try {
        CommitRequest.decode(changed);
      } catch (IllegalArgumentException e) {
        assertThat(e).hasMessageNotContaining("null");
      }
    }
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }
}
