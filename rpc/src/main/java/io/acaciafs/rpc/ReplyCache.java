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
   * @param maxBytes of memory, about
   */
  ReplyCache(long maxBytes) {
    this.isOn = maxBytes > 0;
    this.replies =
        Caffeine.newBuilder()
            .maximumWeight(maxBytes)
            .weigher((Request request, Kept kept) -> kept.weightBytes())
            .executor(Runnable::run) // upkeep is short, and needs no threads of its own
            .build();
  }

  /**
   * Who asks what.
   *
   * <p>Identity is that of the method, the user's name, the address where it counts, and the bytes.
   */
  static class Request {
    private final ServedMethod method;
    private final String user;
    private final InetAddress client;
    private final byte[] bytes;
    private final int offset;
    private final int end;
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
      this.end = bytes.length;
      this.hash = hash();
    }

    /** The same request, with a message behind it. */
    private Request(Request request, byte[] message) {
      this.method = request.method;
      this.user = request.user;
      this.client = request.client;
      this.bytes =
          Arrays.copyOfRange(
              request.bytes, request.offset, Math.addExact(request.end, message.length));
      this.offset = 0;
      this.end = request.length();
      this.hash = request.hash;
      System.arraycopy(message, 0, bytes, end, message.length);
    }

    int length() {
      return end - offset;
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

    String user() {
      return user;
    }

    private int hash() {
      long mixed = 31L * method.hashCode() + user.hashCode();
      int position = offset;
      for (; position + Long.BYTES <= end; position += Long.BYTES) {
        mixed = (mixed ^ (long) LONGS.get(bytes, position)) * 0x9E3779B97F4A7C15L;
        mixed ^= mixed >>> 29;
      }
      for (; position < end; position++) {
        mixed = (mixed ^ bytes[position]) * 0x100000001B3L;
      }
      return (int) (mixed ^ mixed >>> 32);
    }

    @Override
    public final int hashCode() {
      return hash;
    }

    @Override
    public final boolean equals(Object object) {
      return object instanceof Request other
          && hash == other.hash
          && method == other.method
          && user.equals(other.user)
          && (client == null ? other.client == null : client.equals(other.client))
          && Arrays.equals(bytes, offset, end, other.bytes, other.offset, other.end);
    }
  }

  /**
   * A request with the reply that was made to it, in one object and one piece of memory: what a
   * kept reply costs is mostly waiting for that.
   */
  static final class Kept extends Request {
    private final Predicate<RpcCall> holds;
    private final long endNanos;
    private final Request next;
    private final boolean isAhead;

    /**
     * @param isAhead whether the reply was made before anybody asked
     */
    private Kept(Request request, ReusableReply reply, boolean isAhead) {
      super(request, reply.message().toByteArray());
      this.holds = reply.holds();
      this.endNanos = System.nanoTime() + reply.lastsNanos();
      this.next = request.followedBy(reply.next());
      this.isAhead = isAhead;
    }

    private int weightBytes() {
      int next = this.next == null ? 0 : this.next.bytes().length;
      return OVERHEAD_BYTES + bytes().length + next + 2 * user().length();
    }

    /** Where in the bytes the message begins; it goes to their end. */
    int messageOffset() {
      return length();
    }

    Predicate<RpcCall> holds() {
      return holds;
    }

    /** The request that is likely to follow, or null. */
    Request next() {
      return next;
    }

    private boolean answers(RpcCall call) {
      return call.receivedNanos() - endNanos < 0 && holds.test(call);
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
      replies.invalidate(request);
      recent[placeOf(request)] = request.hashCode();
    }
    return kept;
  }

  /** Whether it is of use to make a reply before it is asked for. */
  boolean wants(Request request) {
    return isOn
        && request.length() <= LONGEST_REQUEST_BYTES
        && !replies.asMap().containsKey(request);
  }

  /** Takes note of a reply. */
  void offer(Request request, ReusableReply reply) {
    if (reply.holds() == null || request.length() > LONGEST_REQUEST_BYTES) {
      return;
    }
    int place = placeOf(request);
    if (recent[place] == request.hashCode()) {
      keep(new Kept(request, reply, false));
    } else {
      recent[place] = request.hashCode();
    }
  }

  private static int placeOf(Request request) {
    return request.hashCode() & RECENT - 1;
  }

  /** Takes a reply that nobody has asked for to a request that is {@linkplain #wants wanted}. */
  void putAhead(Request request, ReusableReply reply) {
    if (reply.holds() != null) {
      keep(new Kept(request, reply, true));
    }
  }

  private void keep(Kept kept) {
    replies.invalidate(kept); // else the one of before stays, as a key
    replies.put(kept, kept);
  }
}
