package io.acaciafs.kv.raft.log;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

class AppendOrderTest {
  private final AppendOrder order = new AppendOrder();

  private boolean takes(long term, long position, int piece, boolean isLast) {
    ByteBuffer bytes = ByteBuffer.allocate(1);
    return order.refusal(new RaftEntry(term, position, piece, isLast, bytes)).isEmpty();
  }

  @Test
  void takesEachEntryOnceAndInItsPlace() {
    order.begin(3, 11);
    assertThat(takes(3, 12, 0, true)).as("11 is missing").isFalse();
    assertThat(takes(3, 11, 0, false)).isTrue();
    assertThat(takes(3, 11, 2, true)).as("a piece is missing").isFalse();
    assertThat(takes(3, 12, 0, true)).isFalse();
    assertThat(takes(3, 11, 1, true)).isTrue();
    assertThat(takes(3, 11, 1, true)).as("again").isFalse();
    assertThat(takes(3, 12, 0, true)).isTrue();
  }

  @Test
  void takesNothingOfAnotherTermOrAfterTheEnd() {
    assertThat(takes(0, 1, 0, true)).as("before a term").isFalse();
    order.begin(3, 1);
    assertThat(takes(2, 1, 0, true)).isFalse();
    assertThat(order.refusal(RaftEntry.empty(3))).isEmpty();
    assertThat(order.refusal(RaftEntry.empty(4))).isPresent();
    order.end();
    assertThat(takes(3, 1, 0, true)).isFalse();
    assertThat(order.refusal(RaftEntry.empty(3))).isPresent();
  }
}
