package io.acaciafs.rpc.connection;

import io.acaciafs.rpc.codec.CallIds;
import io.acaciafs.rpc.codec.ReplyEncoder;
import io.acaciafs.rpc.codec.RpcFailure;
import io.acaciafs.rpc.limit.ConnectionMemory;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelFuture;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.apache.hadoop.thirdparty.protobuf.Message;
import org.jspecify.annotations.Nullable;

/**
 * The way of replies to the client: batched, flushed, counted while the client does not read them.
 * For the network thread.
 */
final class Outbound {
  /** How long a client may leave its replies unread. */
  private static final long STALLED_NANOS = TimeUnit.MINUTES.toNanos(2);

  private enum FlushState {
    /** All replies are flushed. */
    CLEAN,
    /** There are replies to flush. */
    DUE,
    /** The network thread will flush. */
    SCHEDULED
  }

  private final ConnectionChannel channel;
  private final ConnectionMemory.Share memory;
  private final EventLoopReplies.Target owner;
  private final LongSupplier lastStateId;
  private final ReplyBatch batch;
  private @Nullable EventLoopReplies loop;
  private FlushState flush = FlushState.CLEAN;
  private boolean isCounting;
  private long writtenBytes;
  private long takenBytes;
  private long lastTakenNanos;

  /**
   * @param owner the connection, which the network thread flushes
   * @param lastStateId for the header of a reply
   */
  Outbound(
      ConnectionChannel channel,
      ConnectionMemory.Share memory,
      EventLoopReplies.Target owner,
      LongSupplier lastStateId) {
    this.channel = channel;
    this.memory = memory;
    this.owner = owner;
    this.lastStateId = lastStateId;
    this.batch = new ReplyBatch(channel);
  }

  /** The connection is open. */
  void opened(long nowNanos) {
    lastTakenNanos = nowNanos;
  }

  /** The connection has a network thread, or another one. */
  void useLoop(EventLoopReplies replies) {
    loop = replies;
  }

  /** The replies of the network thread; any thread that runs a call. */
  EventLoopReplies loop() {
    return Objects.requireNonNull(loop, "the connection has a network thread");
  }

  // ---- Writing ----

  /** Sends bytes with the next flush. */
  void write(ByteBuf bytes) {
    markDue();
    writtenBytes += bytes.readableBytes();
    channel.write(bytes);
  }

  /** Sends a reply with the next flush. */
  void send(CallIds ids, Message message) {
    markDue();
    batch.add(ids, stateId(ids), message);
    writeIfFull();
  }

  /**
   * Sends an encoded reply with the next flush.
   *
   * @param bytes the message from {@code offset} to their end
   */
  void send(CallIds ids, byte[] bytes, int offset) {
    markDue();
    batch.add(ids, stateId(ids), bytes, offset);
    writeIfFull();
  }

  /** Sends a failure with the next flush. */
  void send(CallIds ids, RpcFailure failure) {
    write(ReplyEncoder.failure(channel.allocator(), ids, stateId(ids), failure));
  }

  /** What a reply tells of the state that it rests on. Any thread. */
  long stateId(CallIds ids) {
    long last = lastStateId.getAsLong();
    return last == ReplyEncoder.NO_STATE ? last : Math.max(last, ids.stateId());
  }

  private void markDue() {
    if (flush == FlushState.CLEAN) {
      flush = FlushState.DUE;
    }
  }

  private void writeIfFull() {
    if (batch.isFull()) {
      writeBatch();
    }
  }

  private void writeBatch() {
    ByteBuf replies = batch.take();
    if (replies != null) {
      write(replies);
    }
  }

  // ---- Flushing ----

  /** Lets the network thread flush when it has read from all connections. */
  void scheduleFlush() {
    if (flush != FlushState.SCHEDULED) {
      flush = FlushState.SCHEDULED;
      loop().flushLater(owner);
    }
  }

  /** The same if there are replies to flush. */
  void scheduleFlushIfDue() {
    if (flush == FlushState.DUE) {
      scheduleFlush();
    }
  }

  boolean isFlushScheduled() {
    return flush == FlushState.SCHEDULED;
  }

  /** The scheduled flush. */
  void flushAsScheduled() {
    flush = FlushState.DUE;
    flush();
  }

  /** Flushes now; a scheduled flush stays scheduled. */
  void flush() {
    writeBatch();
    if (flush == FlushState.DUE) {
      flush = FlushState.CLEAN;
    }
    channel.flush();
    countUnsent();
  }

  /** Flushes now if there are replies and no flush is scheduled. */
  void flushIfDue() {
    if (flush == FlushState.DUE) {
      flush();
    }
  }

  /** Counts unread replies in the memory budget until the client has read them. */
  private void countUnsent() {
    long bytes = channel.unsentBytes();
    memory.replies(bytes);
    if (bytes >= ConnectionMemory.GRAIN_BYTES && !isCounting) {
      isCounting = true;
      channel
          .flushAll()
          .addListener(
              sent -> {
                isCounting = false;
                if (sent.isSuccess()) {
                  countUnsent();
                }
              });
    }
  }

  /** Whether the client reads its replies without delay. */
  boolean takesReplies() {
    return channel.unsentBytes() < ConnectionMemory.GRAIN_BYTES;
  }

  /** Whether the client has not read any reply for long, although there are some. */
  boolean isStalled(long nowNanos) {
    long unsentBytes = channel.unsentBytes();
    if (unsentBytes == 0 || writtenBytes - unsentBytes > takenBytes) {
      takenBytes = writtenBytes - unsentBytes;
      lastTakenNanos = nowNanos;
    }
    return nowNanos - lastTakenNanos > STALLED_NANOS;
  }

  // ---- The end ----

  /** Sends all replies now; the future ends when the kernel has them. */
  ChannelFuture finish() {
    writeBatch();
    return channel.flushAll();
  }

  /** Sends a last reply behind all others. */
  ChannelFuture finishWith(ByteBuf reply) {
    writeBatch();
    return channel.writeAndFlush(reply);
  }

  /** Drops the replies that were not written. */
  void release() {
    batch.release();
  }
}
