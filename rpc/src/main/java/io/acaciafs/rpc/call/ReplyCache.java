package io.acaciafs.rpc.call;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.acaciafs.rpc.codec.Delimited;
import io.acaciafs.rpc.method.ServedMethod;
import io.acaciafs.rpc.protocol.CacheableReply;
import io.acaciafs.rpc.protocol.RpcCall;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.net.InetAddress;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Objects;
import java.util.function.Predicate;
import org.apache.hadoop.thirdparty.protobuf.Message;
import org.jspecify.annotations.Nullable;

/**
 * Encoded replies by the bytes of their requests, in a bounded part of the memory. A reply is
 * cached when its request comes the second time, so a request that comes once costs nothing. The
 * cache answers with a reply as long as the reply {@linkplain CacheableReply#isValid is valid}.
 * Safe for use by many threads.
 */
public final class ReplyCache {
  /** Estimate for one entry besides its bytes. */
  private static final int OVERHEAD_BYTES = 400;

  private static final int MAX_REQUEST_BYTES = 4096;
  private static final int RECENT_HASHES = 1 << 16;
  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private final Cache<Request, Entry> replies;

  /**
   * Hashes of requests that came once. Threads write it without synchronization: a lost hash only
   * means that a reply is cached later.
   */
  private final int[] recentHashes = new int[RECENT_HASHES];

  private final boolean enabled;

  /**
   * @param maxBytes approximate limit of the memory; 0: the cache is off
   */
  public ReplyCache(long maxBytes) {
    this.enabled = maxBytes > 0;
    this.replies =
        Caffeine.newBuilder()
            .maximumWeight(maxBytes)
            .weigher((Request request, Entry entry) -> entry.weightBytes())
            .executor(Runnable::run) // maintenance is short, and needs no threads of its own
            .build();
  }

  /**
   * The key: method, name of the user, the client's address if it counts, and the bytes of the
   * request.
   */
  static class Request {
    private final ServedMethod method;
    private final String user;
    private final @Nullable InetAddress client;
    private final byte[] bytes;
    private final int offset;
    private final int end;
    private final int hash;

    /**
     * @param client null if the reply is the same for all clients
     * @param bytes the request from {@code offset} to their end
     */
    Request(
        ServedMethod method, String user, @Nullable InetAddress client, byte[] bytes, int offset) {
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

    /**
     * Another request of the same user to the same method.
     *
     * @return null for null
     */
    @Nullable Request withMessage(@Nullable Message request) {
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
   * A request with its reply, in one object and one array: cache misses of the processor are most
   * of the cost of a cached reply.
   */
  static final class Entry extends Request {
    private final Predicate<RpcCall> isValid;
    private final long expiresNanos;
    private final @Nullable Request likelyNext;
    private final boolean isPrefetched;

    private Entry(Request request, CacheableReply reply, boolean isPrefetched) {
      super(request, reply.message().toByteArray());
      this.isValid = Objects.requireNonNull(reply.isValid(), "the reply can be cached");
      this.expiresNanos = System.nanoTime() + reply.maxAgeNanos();
      this.likelyNext = request.withMessage(reply.likelyNext());
      this.isPrefetched = isPrefetched;
    }

    private int weightBytes() {
      int next = likelyNext == null ? 0 : likelyNext.bytes().length;
      return OVERHEAD_BYTES + bytes().length + next + 2 * user().length();
    }

    /** Where the message begins in the bytes; it goes to their end. */
    int messageOffset() {
      return length();
    }

    Predicate<RpcCall> isValid() {
      return isValid;
    }

    /** The request that probably follows, or null. */
    @Nullable Request likelyNext() {
      return likelyNext;
    }

    private boolean answers(RpcCall call) {
      return call.receivedNanos() - expiresNanos < 0 && isValid.test(call);
    }
  }

  /**
   * Finds a reply that is still valid, or null. A prefetched reply leaves the cache when it is
   * found; its request counts as one that came once.
   */
  @Nullable Entry find(Request request, RpcCall call) {
    Entry entry = replies.getIfPresent(request);
    if (entry == null || !entry.answers(call)) {
      return null;
    }
    if (entry.isPrefetched) {
      replies.invalidate(request);
      recentHashes[slotOf(request)] = request.hashCode();
    }
    return entry;
  }

  /** Whether it is of use to make a reply before a client asks for it. */
  boolean accepts(Request request) {
    return enabled
        && request.length() <= MAX_REQUEST_BYTES
        && !replies.asMap().containsKey(request);
  }

  /** Caches the reply to a request if the request came before. */
  void offer(Request request, CacheableReply reply) {
    if (reply.isValid() == null || request.length() > MAX_REQUEST_BYTES) {
      return;
    }
    int slot = slotOf(request);
    if (recentHashes[slot] == request.hashCode()) {
      put(new Entry(request, reply, false));
    } else {
      recentHashes[slot] = request.hashCode();
    }
  }

  private static int slotOf(Request request) {
    return request.hashCode() & RECENT_HASHES - 1;
  }

  /** Caches the reply to an {@linkplain #accepts accepted} request that has not come yet. */
  void putPrefetched(Request request, CacheableReply reply) {
    if (reply.isValid() != null) {
      put(new Entry(request, reply, true));
    }
  }

  private void put(Entry entry) {
    replies.invalidate(entry); // else the previous entry stays, as the key
    replies.put(entry, entry);
  }
}
