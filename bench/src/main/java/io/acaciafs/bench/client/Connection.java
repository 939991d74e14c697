package io.acaciafs.bench.client;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.ByteToMessageDecoder;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * One connection and its slots. A reply starts the slot's next call; all calls that the replies of
 * one read start leave in one write.
 *
 * <p>For the channel's network thread, but for {@link #resume}.
 */
final class Connection extends ByteToMessageDecoder implements Client {
  private static final int FIRST_WRITE_BYTES = 4096;

  private static final String CLOSED = "ConnectionClosed";

  private final Map<Method, CallTemplate> templates;
  private final ReplyHeader reply = new ReplyHeader();
  private final Outcomes outcomes;
  private final Runnable onIdle;
  private final Slot[] slots;
  private @Nullable Channel channel;
  private @Nullable ByteBuf pending;
  private int busySlots;
  private boolean stopping;

  /**
   * @param templates of all methods
   * @param number of the connection, from 0
   * @param onIdle called when the last busy slot has ended
   */
  Connection(
      Map<Method, CallTemplate> templates,
      int number,
      int slotCount,
      Outcomes outcomes,
      Runnable onIdle) {
    this.templates = templates;
    this.outcomes = outcomes;
    this.onIdle = onIdle;
    slots = new Slot[slotCount];
    for (int i = 0; i < slotCount; i++) {
      slots[i] = new Slot(this, number * slotCount + i, i, slotCount);
    }
  }

  @Override
  public void handlerAdded(ChannelHandlerContext context) {
    channel = context.channel();
  }

  private Channel channel() {
    return Objects.requireNonNull(channel, "the connection is open");
  }

  @Override
  public void onLoop(Runnable task) {
    channel().eventLoop().execute(task);
  }

  @Override
  public void start(IntFunction<CallSource> sources) {
    stopping = false;
    busySlots = 0;
    for (Slot slot : slots) {
      slot.begin(sources.apply(slot.number()));
      busySlots++;
    }
    if (!channel().isActive()) {
      fail(CLOSED, "the server has closed the connection");
      return;
    }
    for (Slot slot : slots) {
      advance(slot);
    }
    flushCalls();
  }

  @Override
  public void stop() {
    stopping = true;
  }

  void resume(Slot slot) {
    onLoop(
        () -> {
          if (slot.isBusy()) {
            advance(slot);
            flushCalls();
          }
        });
  }

  void resumeAfter(Slot slot, long delayMs) {
    channel().eventLoop().schedule(() -> resume(slot), delayMs, TimeUnit.MILLISECONDS);
  }

  void write(
      Method method, int callId, PathBuffer path, @Nullable PathBuffer second, byte[] fields) {
    ByteBuf calls = pending;
    if (calls == null) {
      calls = channel().alloc().ioBuffer(FIRST_WRITE_BYTES);
      pending = calls;
    }
    CallTemplate template = Objects.requireNonNull(templates.get(method), "each method has one");
    template.write(calls, callId, path, second, fields);
  }

  @Override
  protected void decode(ChannelHandlerContext context, ByteBuf in, List<Object> out) {
    while (in.readableBytes() >= Integer.BYTES) {
      int lengthBytes = in.getInt(in.readerIndex());
      if (in.readableBytes() < Integer.BYTES + lengthBytes) {
        return;
      }
      in.skipBytes(Integer.BYTES);
      int end = in.readerIndex() + lengthBytes;
      reply.read(in);
      take(in);
      in.readerIndex(end);
    }
  }

  private void take(ByteBuf in) {
    if (reply.isFatal()) {
      fail(reply.exception(), reply.message());
      channel().close();
      return;
    }
    int index = Math.floorMod(reply.callId() - CallTemplate.FIRST_CALL_ID, slots.length);
    Slot slot = slots[index];
    if (!slot.isWaitingFor(reply.callId())) {
      outcomes.failed("UnknownCall", "a reply to no call, id " + reply.callId());
      return;
    }
    if (!reply.isSuccess()) {
      failed(slot, reply.exception(), reply.message());
    } else {
      succeeded(slot, in);
    }
    advance(slot);
  }

  private void succeeded(Slot slot, ByteBuf in) {
    int lengthBytes = Varint.read(in);
    String complaint = slot.complaint(in, lengthBytes);
    if (complaint != null) {
      failed(slot, "UnexpectedReply", complaint);
      return;
    }
    if (slot.answered(in, lengthBytes)) {
      outcomes.succeeded(System.nanoTime() - slot.startNanos());
    }
  }

  private void failed(Slot slot, String kind, String message) {
    outcomes.failed(kind, message);
    slot.abandonOperation();
  }

  private void advance(Slot slot) {
    if (!slot.advance(stopping)) {
      ended();
    }
  }

  private void ended() {
    busySlots--;
    if (busySlots == 0) {
      onIdle.run();
    }
  }

  private void flushCalls() {
    if (pending != null) {
      ByteBuf calls = pending;
      pending = null;
      channel().writeAndFlush(calls, channel().voidPromise());
    }
  }

  @Override
  public void channelReadComplete(ChannelHandlerContext context) throws Exception {
    super.channelReadComplete(context);
    flushCalls();
  }

  @Override
  public void channelInactive(ChannelHandlerContext context) {
    fail(CLOSED, "the server has closed the connection");
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
    // a write may learn before a read that the server is gone
    String kind = cause instanceof IOException ? CLOSED : cause.getClass().getName();
    fail(kind, String.valueOf(cause.getMessage()));
    context.close();
  }

  /** Every call in flight has failed, and there will be no others. */
  private void fail(String kind, String message) {
    for (Slot slot : slots) {
      if (slot.isBusy()) {
        outcomes.failed(kind, message);
        slot.end();
        ended();
      }
    }
  }
}
