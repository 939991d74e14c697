package io.acaciafs.bench.client;

import io.acaciafs.bench.sasl.SaslLogin;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.ByteToMessageDecoder;
import java.io.IOException;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import javax.security.sasl.Sasl;
import javax.security.sasl.SaslClient;
import org.apache.hadoop.ipc.protobuf.RpcHeaderProtos.RpcSaslProto;
import org.apache.hadoop.ipc.protobuf.RpcHeaderProtos.RpcSaslProto.SaslAuth;
import org.apache.hadoop.ipc.protobuf.RpcHeaderProtos.RpcSaslProto.SaslState;
import org.apache.hadoop.thirdparty.protobuf.UnsafeByteOperations;
import org.jspecify.annotations.Nullable;

/**
 * Proves on one connection who the client is, message by message as Hadoop's client does it. Then
 * it leaves the pipeline, to handlers that wrap and unwrap all that follows where that was agreed.
 * For the network thread.
 */
final class SaslHandshake extends ByteToMessageDecoder {
  private static final byte[] NO_CHALLENGE = {};

  private final SaslLogin login;
  private final CompletableFuture<Void> established;
  private @Nullable SaslClient client;

  /**
   * @param established completed when the client is known; fails with what the server says
   */
  SaslHandshake(SaslLogin login, CompletableFuture<Void> established) {
    this.login = login;
    this.established = established;
  }

  @Override
  public void channelActive(ChannelHandlerContext context) {
    ByteBuf out = context.alloc().buffer().writeBytes(Identity.preamble(true));
    SaslMessages.write(out, RpcSaslProto.newBuilder().setState(SaslState.NEGOTIATE).build());
    context.writeAndFlush(out);
    context.fireChannelActive();
  }

  @Override
  protected void decode(ChannelHandlerContext context, ByteBuf in, List<Object> out)
      throws IOException {
    RpcSaslProto message = SaslMessages.next(in);
    if (message != null) {
      take(context, message);
    }
  }

  private void take(ChannelHandlerContext context, RpcSaslProto message) throws IOException {
    switch (message.getState()) {
      case NEGOTIATE -> initiate(context, message);
      case CHALLENGE ->
          send(context, SaslState.RESPONSE, null, answer(message.getToken().toByteArray()));
      case SUCCESS -> finish(context, message);
      default -> throw new IOException("The server says " + message.getState());
    }
  }

  private void initiate(ChannelHandlerContext context, RpcSaslProto offers) throws IOException {
    SaslAuth offer =
        offers.getAuthsList().stream()
            .filter(each -> each.getMethod().equals(login.method().name()))
            .findFirst()
            .orElseThrow(() -> new IOException("The server does not offer " + login.method()));
    client = login.begin(offer);
    byte[] challenge = offer.hasChallenge() ? offer.getChallenge().toByteArray() : NO_CHALLENGE;
    SaslAuth chosen = SaslAuth.newBuilder(offer).clearChallenge().build();
    send(context, SaslState.INITIATE, chosen, answer(challenge));
  }

  private SaslClient client() {
    return Objects.requireNonNull(client, "the mechanism is begun");
  }

  private byte[] answer(byte[] challenge) throws IOException {
    return login.answer(client(), challenge);
  }

  private static void send(
      ChannelHandlerContext context, SaslState state, @Nullable SaslAuth chosen, byte[] token) {
    RpcSaslProto.Builder message =
        RpcSaslProto.newBuilder().setState(state).setToken(UnsafeByteOperations.unsafeWrap(token));
    if (chosen != null) {
      message.addAuths(chosen);
    }
    ByteBuf out = context.alloc().buffer();
    SaslMessages.write(out, message.build());
    context.writeAndFlush(out);
  }

  private void finish(ChannelHandlerContext context, RpcSaslProto last) throws IOException {
    SaslClient complete = client();
    if (!complete.isComplete()) {
      answer(last.getToken().toByteArray());
    }
    if ("auth".equals(complete.getNegotiatedProperty(Sasl.QOP))) {
      complete.dispose();
    } else {
      context.pipeline().addAfter(context.name(), null, new Unwrapper(complete));
      context.pipeline().addAfter(context.name(), null, new Wrapper(complete));
    }
    context.pipeline().remove(this);
    established.complete(null);
  }

  @Override
  public void channelInactive(ChannelHandlerContext context) throws Exception {
    established.completeExceptionally(new IOException("The server has closed the connection"));
    super.channelInactive(context);
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
    established.completeExceptionally(cause.getCause() == null ? cause : cause.getCause());
    context.close();
  }
}
