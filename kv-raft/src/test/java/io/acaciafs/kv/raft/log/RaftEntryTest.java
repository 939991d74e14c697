package io.acaciafs.kv.raft.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.acaciafs.kv.StoreException;
import java.nio.ByteBuffer;
import org.apache.ratis.thirdparty.com.google.protobuf.ByteString;
import org.junit.jupiter.api.Test;

class RaftEntryTest {
  @Test
  void isDecodedAsItWasEncoded() {
    for (boolean isLast : new boolean[] {true, false}) {
      ByteBuffer bytes = ByteBuffer.wrap(new byte[] {9, 1, 2, 3, 9}, 1, 3);
      RaftEntry decoded = RaftEntry.decode(new RaftEntry(7, 42, 3, isLast, bytes).encode());
      assertThat(decoded.term()).isEqualTo(7);
      assertThat(decoded.position()).isEqualTo(42);
      assertThat(decoded.piece()).isEqualTo(3);
      assertThat(decoded.isLast()).isEqualTo(isLast);
      assertThat(decoded.isEmpty()).isFalse();
      assertThat(decoded.bytes()).isEqualTo(ByteBuffer.wrap(new byte[] {1, 2, 3}));
      assertThat(bytes.remaining()).as("the caller's buffer is as it was").isEqualTo(3);
    }
  }

  @Test
  void anEmptyOneHoldsNoBatch() {
    RaftEntry decoded = RaftEntry.decode(RaftEntry.empty(5).encode());
    assertThat(decoded.isEmpty()).isTrue();
    assertThat(decoded.term()).isEqualTo(5);
  }

  /** An older version does not look at its bytes. */
  @Test
  void aMarkHoldsNoBatch() {
    RaftEntry decoded = RaftEntry.decode(RaftEntry.mark(5, -77).encode());
    assertThat(decoded.isEmpty()).isTrue();
    assertThat(decoded.comparison()).isEqualTo(-77);
    assertThat(RaftEntry.decode(RaftEntry.empty(5).encode()).comparison()).isZero();
    ByteBuffer eight = ByteBuffer.allocate(Long.BYTES).putLong(0, 1);
    assertThat(new RaftEntry(5, 1, 0, true, eight).comparison()).isZero();
  }

  @Test
  void refusesWhatAnotherVersionWrote() {
    byte[] encoded = RaftEntry.empty(5).encode().toByteArray();
    encoded[0]++;
    assertThatThrownBy(() -> RaftEntry.decode(ByteString.copyFrom(encoded)))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("same version of Acacia on all members");
    assertThatThrownBy(() -> RaftEntry.decode(ByteString.copyFrom(new byte[] {1, 2})))
        .isInstanceOf(StoreException.class);
  }
}
