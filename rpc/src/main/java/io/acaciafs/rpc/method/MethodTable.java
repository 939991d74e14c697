package io.acaciafs.rpc.method;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Map;
import org.apache.hadoop.ipc.protobuf.ProtobufRpcEngine2Protos.RequestHeaderProto;
import org.jspecify.annotations.Nullable;

/**
 * A hash table of methods by the bytes of their {@code RequestHeaderProto}, as protobuf writes
 * them, with the length in front. A header with the same meaning in other bytes is not found.
 * Immutable.
 */
public final class MethodTable {
  private static final VarHandle EIGHT_BYTES =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  /** The hash is of the length and the beginning of the method's name. */
  private static final int HASHED_BYTES = 2 * Long.BYTES;

  private static final long MIX = 0x9E3779B97F4A7C15L;

  private final Entry[] slots;

  /** One method, and the bytes of its header. */
  public record Entry(byte[] header, ServedMethod method) {}

  MethodTable(Map<RequestHeaderProto, ServedMethod> methods) {
    slots = new Entry[Integer.highestOneBit(Math.max(1, methods.size())) << 2];
    methods.forEach(
        (header, method) -> {
          byte[] bytes = delimited(header);
          if (bytes.length >= HASHED_BYTES) {
            int slot = slot(bytes, 0);
            while (slots[slot] != null) {
              slot = next(slot);
            }
            slots[slot] = new Entry(bytes, method);
          }
        });
  }

  /**
   * @return the method whose header begins at {@code offset}, or null
   */
  @Nullable Entry find(byte[] frame, int offset) {
    if (frame.length - offset < HASHED_BYTES) {
      return null;
    }
    for (int slot = slot(frame, offset); slots[slot] != null; slot = next(slot)) {
      Entry entry = slots[slot];
      int end = offset + entry.header.length;
      if (end <= frame.length
          && Arrays.equals(frame, offset, end, entry.header, 0, entry.header.length)) {
        return entry;
      }
    }
    return null;
  }

  private int slot(byte[] bytes, int offset) {
    long first = (long) EIGHT_BYTES.get(bytes, offset);
    long second = (long) EIGHT_BYTES.get(bytes, offset + Long.BYTES);
    long hash = (first * MIX ^ second) * MIX;
    return (int) (hash >>> Integer.SIZE) & slots.length - 1;
  }

  private int next(int slot) {
    return slot + 1 & slots.length - 1;
  }

  private static byte[] delimited(RequestHeaderProto header) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try {
      header.writeDelimitedTo(out);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return out.toByteArray();
  }
}
