package io.acaciafs.kv.testkit;

import java.io.ByteArrayOutputStream;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;

/** The values of ASN.1 of which certificates are made, in DER: X.690. Stateless. */
final class Der {
  private static final int SHORT_LENGTHS = 0x80;
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("yyMMddHHmmss'Z'").withZone(ZoneOffset.UTC);

  private Der() {}

  /** A value with its tag and length. */
  static byte[] value(int tag, byte[]... parts) {
    byte[] content = join(parts);
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.write(tag);
    if (content.length < SHORT_LENGTHS) {
      out.write(content.length);
    } else {
      byte[] length = BigInteger.valueOf(content.length).toByteArray();
      int first = length[0] == 0 ? 1 : 0;
      out.write(SHORT_LENGTHS | length.length - first);
      out.write(length, first, length.length - first);
    }
    out.writeBytes(content);
    return out.toByteArray();
  }

  static byte[] join(byte[]... parts) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    for (byte[] part : parts) {
      out.writeBytes(part);
    }
    return out.toByteArray();
  }

  static byte[] sequence(byte[]... parts) {
    return value(0x30, parts);
  }

  static byte[] set(byte[]... parts) {
    return value(0x31, parts);
  }

  static byte[] integer(long number) {
    return value(0x02, BigInteger.valueOf(number).toByteArray());
  }

  static byte[] yes() {
    return value(0x01, new byte[] {(byte) 0xFF});
  }

  static byte[] octets(byte[]... parts) {
    return value(0x04, parts);
  }

  /** A string of whole bytes of bits. */
  static byte[] bits(byte[] bytes) {
    return value(0x03, new byte[] {0}, bytes);
  }

  static byte[] text(String text) {
    return value(0x0C, text.getBytes(StandardCharsets.UTF_8));
  }

  /** Until 2049. */
  static byte[] time(Instant time) {
    return value(0x17, TIME.format(time).getBytes(StandardCharsets.US_ASCII));
  }

  /**
   * The first two arcs share a byte; of the others each has as many bytes of seven bits as need.
   */
  static byte[] identifier(int first, int second, int... others) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.write(40 * first + second);
    for (int other : others) {
      for (int shift = 28; shift > 0; shift -= 7) {
        if (other >>> shift != 0) {
          out.write(0x80 | other >>> shift & 0x7F);
        }
      }
      out.write(other & 0x7F);
    }
    return value(0x06, out.toByteArray());
  }
}
