package io.acaciafs.kv.raft.call;

import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.security.cert.CertificateException;
import javax.net.ssl.SSLException;
import org.apache.ratis.thirdparty.io.grpc.netty.GrpcHttp2ConnectionHandler;
import org.apache.ratis.thirdparty.io.grpc.netty.InternalProtocolNegotiator.ProtocolNegotiator;
import org.apache.ratis.thirdparty.io.grpc.netty.InternalProtocolNegotiators;
import org.apache.ratis.thirdparty.io.netty.channel.ChannelHandler;
import org.apache.ratis.thirdparty.io.netty.channel.ChannelHandlerContext;
import org.apache.ratis.thirdparty.io.netty.channel.ChannelInboundHandlerAdapter;
import org.apache.ratis.thirdparty.io.netty.handler.ssl.SslContext;
import org.apache.ratis.thirdparty.io.netty.handler.ssl.SslHandler;
import org.apache.ratis.thirdparty.io.netty.util.AsciiString;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Has each connection that comes to a member begin with TLS, and writes those that fail into the
 * security log, beside those that Hadoop's servers refuse: a stranger without a certificate, with
 * one that is not taken, or without TLS. One that just leaves, as a port's check does, has no line.
 * Any thread.
 */
final class WatchedHandshakes implements ProtocolNegotiator {
  private static final Logger SECURITY =
      LoggerFactory.getLogger("SecurityLogger." + WatchedHandshakes.class.getName());

  private static final int LONGEST = 1000;

  private final ProtocolNegotiator tls;

  WatchedHandshakes(SslContext context) {
    tls = InternalProtocolNegotiators.serverTls(context);
  }

  @Override
  public AsciiString scheme() {
    return tls.scheme();
  }

  @Override
  public ChannelHandler newHandler(GrpcHttp2ConnectionHandler grpc) {
    return new Begin(tls.newHandler(grpc));
  }

  @Override
  public void close() {
    tls.close();
  }

  /** Stays before TLS until the first bytes come: by then the handshake has begun. */
  private static final class Begin extends ChannelInboundHandlerAdapter {
    private final ChannelHandler tls;

    private Begin(ChannelHandler tls) {
      this.tls = tls;
    }

    @Override
    public void handlerAdded(ChannelHandlerContext context) {
      context.pipeline().addAfter(context.name(), null, tls);
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object bytes) {
      SslHandler handshake = context.pipeline().get(SslHandler.class);
      SocketAddress client = context.channel().remoteAddress();
      if (handshake != null) {
        handshake
            .handshakeFuture()
            .addListener(
                done -> {
                  if (!done.isSuccess()) {
                    failed(client, done.cause());
                  }
                });
      }
      context.fireChannelRead(bytes);
      context.pipeline().remove(this);
    }
  }

  private static void failed(SocketAddress client, Throwable failure) {
    if (failure instanceof SSLException) {
      SECURITY.warn("Member refused client={} reason={}", text(client), harmless(reason(failure)));
    } else {
      SECURITY.debug("A client left before it was known client={}", client, failure);
    }
  }

  /** What was wrong with a certificate says its own exception. */
  private static String reason(Throwable failure) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof CertificateException wrong) {
        return String.valueOf(wrong.getMessage());
      }
    }
    return String.valueOf(failure.getMessage());
  }

  private static String text(SocketAddress client) {
    return client instanceof InetSocketAddress at && at.getAddress() != null
        ? at.getAddress().getHostAddress() + ":" + at.getPort()
        : String.valueOf(client);
  }

  /** A stranger chooses what it sends and what its certificate says. */
  private static String harmless(String text) {
    String escaped = text.replaceAll("[\\p{Cntrl}\\p{Zl}\\p{Zp}\\p{Cf}]", "?");
    return escaped.substring(0, Math.min(escaped.length(), LONGEST));
  }
}
