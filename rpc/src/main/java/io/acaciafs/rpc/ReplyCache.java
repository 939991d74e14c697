package io.acaciafs.rpc;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.net.InetAddress;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.function.Predicate;
import org.apache.hadoop.thirdparty.protobuf.Message;

/**
 * Encoded replies by the bytes of their requests, in a bounded part of the memory. A reply is kept
 * when its request comes the second time, so what is asked once costs nothing; it is given out as
 * long as it {@linkplain ReusableReply#holds holds}. Safe for use by many threads.
 */
final class ReplyCache {
  /** Of one entry besides its bytes; roughly. */
  private static final int OVERHEAD_BYTES = 400;

  private static final int LONGEST_REQUEST_BYTES = 4096;
  private static final int RECENT = 1 << 16;
  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private final Cache<Request, Kept> replies;

  /** Hashes of requests that came once; written without care, as it does not matter who wins. */
  private final int[] recent = new int[RECENT];

  private final boolean isOn;

  /**
   * A reply that was made before.
   *
   * @param endNanos no call is answered with it that was received then or later
   * @param next the request that is likely to follow, or null
   * @param isAhead whether it was made before anybody asked
   */
  @SuppressWarnings("ArrayRecordComponent") // encoded
  record Kept(
      byte[] message, Predicate<RpcCall> holds, long endNanos, Request next, boolean isAhead) {
    private boolean answers(RpcCall call) {
      return call.receivedNanos() - endNanos < 0 && holds.test(call);
    }
  }

  /**
   * @param maxBytes of memory, about
   */
  ReplyCache(long maxBytes) {
    this.isOn = maxBytes > 0;
    this.replies =
        Caffeine.newBuilder()
            .maximumWeight(maxBytes)
            .weigher(
                (Request request, Kept kept) ->
                    OVERHEAD_BYTES + request.length + kept.message.length)
            .executor(Runnable::run) // upkeep is short, and needs no threads of its own
            .build();
  }

  /**
   * Who asks what.
   *
   * <p>Identity is that of the method, the user's name, the address where it counts, and the bytes.
   */
  static final class Request {
    private final ServedMethod method;
    private final String user;
    private final InetAddress client;
    private final byte[] bytes;
    private final int offset;
    private final int length;
    private final int hash;

    /**
     * @param client null where the reply is the same for all
     * @param bytes the request from {@code offset} to their end
     */
    Request(ServedMethod method, String user, InetAddress client, byte[] bytes, int offset) {
      this.method = method;
      this.user = user;
      this.client = client;
      this.bytes = bytes;
      this.offset = offset;
      this.length = bytes.length - offset;
      this.hash = hash();
    }

    private Request copy() {
      byte[] own = Arrays.copyOfRange(bytes, offset, bytes.length);
      return new Request(method, user, client, own, 0);
    }

    /** Another request of the same method and user. */
    Request followedBy(Message request) {
      return request == null
          ? null
          : new Request(method, user, client, Delimited.toBytes(request), 0);
    }

    byte[] bytes() {
      return bytes;
    }

    private int hash() {
      long mixed = 31L * method.hashCode() + user.hashCode();
      int position = offset;
      for (; position + Long.BYTES <= bytes.length; position += Long.BYTES) {
        mixed = (mixed ^ (long) LONGS.get(bytes, position)) * 0x9E3779B97F4A7C15L;
        mixed ^= mixed >>> 29;
      }
      for (; position < bytes.length; position++) {
        mixed = (mixed ^ bytes[position]) * 0x100000001B3L;
      }
      return (int) (mixed ^ mixed >>> 32);
    }

    @Override
    public int hashCode() {
      return hash;
    }

    @Override
    public boolean equals(Object object) {
      return object instanceof Request other
          && hash == other.hash
          && method == other.method
          && user.equals(other.user)
          && (client == null ? other.client == null : client.equals(other.client))
          && Arrays.equals(
              bytes, offset, bytes.length, other.bytes, other.offset, other.bytes.length);
    }
  }

  /**
   * A reply that is still right; null where there is none. What was made ahead goes when it is
   * asked for, as what was asked once.
   */
  Kept find(Request request, RpcCall call) {
    Kept kept = replies.getIfPresent(request);
    if (kept == null || !kept.answers(call)) {
      return null;
    }
    if (kept.isAhead) {
      replies.asMap().remove(request, kept);
      recent[request.hash & RECENT - 1] = request.hash;
    }
    return kept;
  }

  /** Whether it is of use to make a reply before it is asked for. */
  boolean wants(Request request) {
    return isOn && request.length <= LONGEST_REQUEST_BYTES && !replies.asMap().containsKey(request);
  }

  /** Takes note of a reply. */
  void offer(Request request, ReusableReply reply) {
    if (reply.holds() == null || request.length > LONGEST_REQUEST_BYTES) {
      return;
    }
    int place = request.hash & RECENT - 1;
    if (recent[place] == request.hash) {
      keep(request.copy(), reply, false);
    } else {
      recent[place] = request.hash;
    }
  }

  /**
   * Takes a reply that nobody has asked for.
   *
   * @param request {@linkplain #wants wanted}; keeps its bytes
   */
  void putAhead(Request request, ReusableReply reply) {
    if (reply.holds() != null) {
      keep(request, reply, true);
    }
  }

  private void keep(Request request, ReusableReply reply, boolean isAhead) {
    long endNanos = System.nanoTime() + reply.lastsNanos();
    byte[] message = reply.message().toByteArray();
    Request next = request.followedBy(reply.next());
    replies.put(request, new Kept(message, reply.holds(), endNanos, next, isAhead));
  }
}
