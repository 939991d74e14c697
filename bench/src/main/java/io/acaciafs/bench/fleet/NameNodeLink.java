package io.acaciafs.bench.fleet;

import io.acaciafs.bench.fleet.FleetCounts.Kind;
import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufInputStream;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.codec.LengthFieldBasedFrameDecoder;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hdfs.protocol.proto.DatanodeProtocolProtos.DatanodeCommandProto;
import org.apache.hadoop.hdfs.protocol.proto.DatanodeProtocolProtos.HeartbeatResponseProto;
import org.apache.hadoop.hdfs.protocol.proto.HdfsServerProtos.VersionRequestProto;
import org.apache.hadoop.ipc.protobuf.RpcHeaderProtos.RpcResponseHeaderProto;
import org.apache.hadoop.ipc.protobuf.RpcHeaderProtos.RpcResponseHeaderProto.RpcStatusProto;
import org.apache.hadoop.thirdparty.protobuf.Message;
import org.jspecify.annotations.Nullable;

/**
 * What one DataNode has with one NameNode: a connection, on which it makes one call at a time. It
 * connects again as long as nobody listens. For the network thread.
 *
 * <p>Source: HDFS 3.5's {@code BPServiceActor}.
 */
final class NameNodeLink {
  private static final int LONGEST_REPLY_BYTES = 1 << 20;
  private static final int CONNECT_LIMIT_MS = 10_000;
  private static final long CONNECT_AGAIN_MS = 1000;
  private static final int EVENTS_IN_REPORT = 500;
  private static final int MOST_EVENTS = 10_000;

  private enum Call {
    VERSION("versionRequest"),
    REGISTER("registerDatanode"),
    HEARTBEAT("sendHeartbeat"),
    INCREMENTAL_REPORT("blockReceivedAndDeleted"),
    FULL_REPORT("blockReport");

    private final String method;

    Call(String method) {
      this.method = method;
    }
  }

  private final SimulatedDatanode datanode;
  private final InetSocketAddress nameNode;
  private final Reachability reachability;
  private final Bootstrap bootstrap;
  private final EventLoop loop;
  private final FleetCounts counts;
  private final CallFrames frames;
  private final Deque<SimulatedDatanode.Event> events = new ArrayDeque<>();
  private List<SimulatedDatanode.Event> eventsInFlight = List.of();
  private @Nullable Channel channel;
  private @Nullable Call inFlight;
  private boolean connecting;
  private boolean registered;
  private boolean beatDue;
  private boolean wantsFullReport;
  private long leaseId;
  private int replicasInFlight;
  private boolean closed;

  /**
   * @param reachability of the NameNode, for all its links
   * @param bootstrap of a channel on the loop
   */
  NameNodeLink(
      SimulatedDatanode datanode,
      InetSocketAddress nameNode,
      Reachability reachability,
      Bootstrap bootstrap,
      EventLoop loop,
      FleetCounts counts,
      CallFrames frames) {
    this.datanode = datanode;
    this.nameNode = nameNode;
    this.reachability = reachability;
    this.loop = loop;
    this.counts = counts;
    this.frames = frames;
    this.bootstrap =
        bootstrap
            .clone()
            .option(ChannelOption.TCP_NODELAY, true)
            .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, CONNECT_LIMIT_MS)
            .handler(
                new ChannelInitializer<Channel>() {
                  @Override
                  protected void initChannel(Channel opened) {
                    opened
                        .pipeline()
                        .addLast(
                            new LengthFieldBasedFrameDecoder(
                                LONGEST_REPLY_BYTES, 0, Integer.BYTES, 0, Integer.BYTES))
                        .addLast(new Replies());
                  }
                });
  }

  /** It is time for a heartbeat. */
  void beat() {
    beatDue = true;
    if (channel == null) {
      connect();
    } else {
      advance();
    }
  }

  /** It was started anew: it registers with its next heartbeat. */
  void restart(boolean reports) {
    registered = false;
    wantsFullReport |= reports;
  }

  void wantFullReport(boolean wants) {
    wantsFullReport = wants;
  }

  void tell(List<SimulatedDatanode.Event> more) {
    for (SimulatedDatanode.Event event : more) {
      if (events.size() < MOST_EVENTS) {
        events.add(event);
      } else {
        event.told().completeExceptionally(new IOException("too many replicas at a time"));
      }
    }
    advance();
  }

  void close() {
    closed = true;
    if (channel != null) {
      channel.close();
    }
  }

  private void connect() {
    if (connecting || closed) {
      return;
    }
    if (reachability.isRefusing()) {
      connectLater();
      return;
    }
    connecting = true;
    ChannelFuture opened =
        bootstrap.connect(nameNode, new InetSocketAddress(datanode.address(), 0));
    opened.addListener(
        done -> {
          connecting = false;
          if (done.isSuccess()) {
            reachability.opened();
            channel = opened.channel();
            channel.write(channel.alloc().buffer().writeBytes(frames.greeting()));
            advance();
          } else {
            if (done.cause() instanceof ConnectException) {
              reachability.refused();
            }
            connectLater();
          }
        });
  }

  private void connectLater() {
    connecting = true;
    loop.schedule(
        () -> {
          connecting = false;
          connect();
        },
        CONNECT_AGAIN_MS,
        TimeUnit.MILLISECONDS);
  }

  private void advance() {
    if (channel == null || inFlight != null) {
      return;
    }
    if (!registered) {
      call(Call.VERSION, VersionRequestProto.getDefaultInstance());
    } else if (beatDue) {
      beatDue = false;
      call(Call.HEARTBEAT, datanode.heartbeat(wantsFullReport));
    } else if (leaseId != 0) {
      var report = datanode.fullReport(leaseId);
      leaseId = 0;
      replicasInFlight = (int) report.getReports(0).getNumberOfBlocks();
      call(Call.FULL_REPORT, report);
    } else if (!events.isEmpty()) {
      eventsInFlight = new ArrayList<>();
      while (eventsInFlight.size() < EVENTS_IN_REPORT && !events.isEmpty()) {
        eventsInFlight.add(events.remove());
      }
      call(Call.INCREMENTAL_REPORT, datanode.incrementalReport(eventsInFlight));
    }
  }

  private void call(Call call, Message request) {
    Channel open = channel;
    if (open == null) {
      return;
    }
    inFlight = call;
    ByteBuf frame = open.alloc().buffer();
    frames.write(frame, call.method, request);
    open.writeAndFlush(frame, open.voidPromise());
  }

  private void replied(ByteBuf frame) throws IOException {
    Call call = inFlight;
    inFlight = null;
    ByteBufInputStream in = new ByteBufInputStream(frame);
    RpcResponseHeaderProto header = RpcResponseHeaderProto.parseDelimitedFrom(in);
    if (call == null || header.getStatus() != RpcStatusProto.SUCCESS) {
      failed(call, header.getExceptionClassName());
      return; // the next heartbeat tries again
    }
    switch (call) {
      case VERSION -> call(Call.REGISTER, datanode.register());
      case REGISTER -> {
        registered = true;
        beatDue = true;
        counts.add(Kind.REGISTRATIONS, 1);
      }
      case HEARTBEAT -> {
        counts.add(Kind.HEARTBEATS, 1);
        obey(HeartbeatResponseProto.parseDelimitedFrom(in));
      }
      case INCREMENTAL_REPORT -> {
        counts.add(Kind.INCREMENTAL_REPORTS, 1);
        counts.add(Kind.INCREMENTAL_REPLICAS, eventsInFlight.size());
        eventsInFlight.forEach(event -> event.told().complete(null));
        eventsInFlight = List.of();
      }
      case FULL_REPORT -> {
        wantsFullReport = false;
        counts.add(Kind.FULL_REPORTS, 1);
        counts.add(Kind.FULL_REPORT_REPLICAS, replicasInFlight);
      }
    }
    advance();
  }

  private void obey(HeartbeatResponseProto response) {
    leaseId = wantsFullReport ? response.getFullBlockReportLeaseId() : 0;
    for (DatanodeCommandProto command : response.getCmdsList()) {
      switch (command.getCmdType()) {
        case RegisterCommand -> restart(true);
        case BlockCommand, BlockRecoveryCommand -> counts.add(Kind.BLOCK_COMMANDS, 1);
        default -> {} // no business of one without data
      }
    }
  }

  private void failed(@Nullable Call call, String reason) {
    counts.failed((call == null ? "no call" : call.method) + ": " + reason);
    for (int i = eventsInFlight.size() - 1; i >= 0; i--) {
      events.addFirst(eventsInFlight.get(i));
    }
    eventsInFlight = List.of();
  }

  private void closed() {
    channel = null;
    reachability.closed();
    if (closed) {
      return;
    }
    if (inFlight != null) {
      failed(inFlight, "connection closed");
      inFlight = null;
    }
    connectLater();
  }

  private final class Replies extends SimpleChannelInboundHandler<ByteBuf> {
    @Override
    protected void channelRead0(ChannelHandlerContext context, ByteBuf frame) throws IOException {
      replied(frame);
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
      closed();
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
      counts.failed(
          cause instanceof IOException ? "connection broken" : cause.getClass().getName());
      context.close();
    }
  }
}
