package io.acaciafs.wire;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.CodedOutputStream;
import io.acaciafs.wire.testkit.DamagedMessages;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Writer and reader speak the language of protobuf's own streams. */
class WireFormatTest {
  private static final int ROUNDS = 20_000;
  private static final int NUMBER = 1;
  private static final int SIGNED = 2;
  private static final int TEXT = 3;
  private static final int INNER = 4;

  private final Random random = new Random(1);

  /** What a message holds. */
  private record Content(long number, int signed, String text, long inner) {}

  private static final class Reader extends WireReader {
    private long number;
    private int signed;
    private String text = "";
    private long inner;

    Content read(byte[] message) {
      begin(message, 0);
      while (!isStrange() && position() < message.length) {
        switch (tag()) {
          case NUMBER << 3 | VARINT -> number = varint(message.length);
          case SIGNED << 3 | VARINT -> signed = signed32(message.length);
          case TEXT << 3 | LENGTH_DELIMITED -> {
            int end = endOfMessage(message.length);
            text = new String(message, position(), end - position());
            moveTo(end);
          }
          case INNER << 3 | LENGTH_DELIMITED -> {
            int end = endOfMessage(message.length);
            if (position() < end && tag() == (NUMBER << 3 | VARINT)) {
              inner = varint(end);
            }
            moveTo(end);
          }
          default -> setStrange();
        }
      }
      return isStrange() ? null : new Content(number, signed, text, inner);
    }
  }

  private Content any() {
    return new Content(
        random.nextLong() >>> random.nextInt(64),
        random.nextInt() >> random.nextInt(32),
        "x".repeat(random.nextInt(200)),
        random.nextLong() >>> random.nextInt(64));
  }

  private static byte[] byWriter(Content content) {
    WireWriter out = new WireWriter(16);
    int before = out.size();
    out.numberUnlessZero(NUMBER, content.inner());
    out.message(INNER, before);
    out.text(TEXT, content.text());
    out.signedUnlessZero(SIGNED, content.signed());
    out.numberUnlessZero(NUMBER, content.number());
    assertThat(out.buffer()).endsWith(out.toBytes());
    return out.toBytes();
  }

  private static byte[] byProtobuf(Content content) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    CodedOutputStream out = CodedOutputStream.newInstance(bytes);
    if (content.number() != 0) {
      out.writeUInt64(NUMBER, content.number());
    }
    if (content.signed() != 0) {
      out.writeSInt32(SIGNED, content.signed());
    }
    out.writeString(TEXT, content.text());
    ByteArrayOutputStream inner = new ByteArrayOutputStream();
    CodedOutputStream innerOut = CodedOutputStream.newInstance(inner);
    if (content.inner() != 0) {
      innerOut.writeUInt64(NUMBER, content.inner());
    }
    innerOut.flush();
    out.writeByteArray(INNER, inner.toByteArray());
    out.flush();
    return bytes.toByteArray();
  }

  @Test
  void theWriterWritesTheBytesOfProtobuf() throws IOException {
    for (int i = 0; i < ROUNDS; i++) {
      Content content = any();
      assertThat(byWriter(content)).isEqualTo(byProtobuf(content));
    }
  }

  @Test
  void theReaderReadsWhatTheWriterWrote() {
    for (int i = 0; i < ROUNDS; i++) {
      Content content = any();
      assertThat(new Reader().read(byWriter(content))).isEqualTo(content);
    }
  }

  @Test
  void damageLeadsNowhereOutsideTheMessage() {
    DamagedMessages damaged = new DamagedMessages(random);
    int strange = 0;
    for (int i = 0; i < ROUNDS; i++) {
      strange += new Reader().read(damaged.of(byWriter(any()))) == null ? 1 : 0;
    }
    assertThat(strange).isBetween(ROUNDS / 20, ROUNDS * 9 / 10);
  }

  @Test
  void whatNoEncoderWritesIsStrange() {
    byte[] tooLong = {NUMBER << 3, -1, -1, -1, -1, -1, -1, -1, -1, -1, 2};
    assertThat(new Reader().read(tooLong)).isNull();
    byte[] unended = {NUMBER << 3, -1};
    assertThat(new Reader().read(unended)).isNull();
    byte[] beyond = {TEXT << 3 | 2, 100, 1};
    assertThat(new Reader().read(beyond)).isNull();
    byte[] notOf32Bits = {SIGNED << 3, -1, -1, -1, -1, 0x1f};
    assertThat(new Reader().read(notOf32Bits)).isNull();
  }
}
