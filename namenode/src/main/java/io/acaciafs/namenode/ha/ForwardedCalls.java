package io.acaciafs.namenode.ha;

import io.acaciafs.rpc.call.LocalCalls;
import io.acaciafs.rpc.protocol.CallListener;
import io.acaciafs.rpc.protocol.RpcCall;
import io.acaciafs.rpc.protocol.RpcProtocol;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.apache.hadoop.ipc.StandbyException;
import org.apache.hadoop.ipc.proto.GenericRefreshProtocolProtos.GenericRefreshProtocolService;
import org.apache.hadoop.ipc.proto.GenericRefreshProtocolProtos.GenericRefreshRequestProto;
import org.apache.hadoop.ipc.proto.GenericRefreshProtocolProtos.GenericRefreshResponseCollectionProto;
import org.apache.hadoop.ipc.proto.GenericRefreshProtocolProtos.GenericRefreshResponseProto;
import org.apache.hadoop.security.AccessControlException;
import org.apache.hadoop.thirdparty.protobuf.Message;

/**
 * Runs the calls that standbys hand to this NameNode, which leads. One that was on its way for so
 * long that it was meant for an earlier term has been answered by another leader since.
 */
public final class ForwardedCalls {
  private final RpcProtocol clientProtocol;
  private final LocalCalls calls;
  private final Senders senders;
  private final HandOver handOver;
  private final long term;
  private final LongSupplier stateIds;
  private final Supplier<CompletableFuture<Void>> barrier;

  /** Has another member lead. */
  @FunctionalInterface
  public interface HandOver {
    void to(String member) throws IOException;
  }

  /** Tells whether a caller may hand on calls. */
  @FunctionalInterface
  public interface Senders {
    /**
     * @throws AccessControlException for a caller that is no NameNode
     */
    void require(RpcCall call) throws AccessControlException;
  }

  /**
   * @param senders tells whether a caller may forward: a caller that may names any user
   * @param term in which this NameNode leads
   * @param stateIds as {@link io.acaciafs.rpc.RpcServer#serve}
   * @param barrier completes when no other NameNode can have taken over before it was asked for
   */
  public ForwardedCalls(
      RpcProtocol clientProtocol,
      CallListener.Provider listeners,
      Senders senders,
      HandOver handOver,
      long term,
      LongSupplier stateIds,
      Supplier<CompletableFuture<Void>> barrier) {
    this.clientProtocol = clientProtocol;
    this.calls = new LocalCalls(clientProtocol, listeners);
    this.senders = senders;
    this.handOver = handOver;
    this.term = term;
    this.stateIds = stateIds;
    this.barrier = barrier;
  }

  public RpcProtocol protocol() {
    return RpcProtocol.builder(
            ForwardProtocol.NAME,
            ForwardProtocol.VERSION,
            GenericRefreshProtocolService.newReflectiveBlockingService(null))
        .blockingMethod("refresh", GenericRefreshRequestProto.class, this::run)
        .build();
  }

  private GenericRefreshResponseCollectionProto run(
      RpcCall call, GenericRefreshRequestProto message) throws IOException {
    senders.require(call);
    GenericRefreshResponseProto.Builder answer = GenericRefreshResponseProto.newBuilder();
    try {
      answer.setExitStatus(0).setUserMessage(answer(message));
    } catch (Exception e) {
      Throwable cause = e instanceof CompletionException && e.getCause() != null ? e.getCause() : e;
      answer
          .setExitStatus(1)
          .setSenderName(cause.getClass().getName())
          .setUserMessage(String.valueOf(cause.getMessage()));
    }
    return GenericRefreshResponseCollectionProto.newBuilder()
        .addResponses(answer)
        .addResponses(
            GenericRefreshResponseProto.newBuilder()
                .setUserMessage(Long.toString(stateIds.getAsLong())))
        .build();
  }

  private String answer(GenericRefreshRequestProto message) throws Exception {
    if (message.getIdentifier().equals(ForwardProtocol.HAND_OVER) && message.getArgsCount() == 1) {
      handOver.to(message.getArgs(0));
      return "";
    }
    if (message.getIdentifier().equals(ForwardProtocol.STATE) && message.getArgsCount() == 0) {
      barrier.get().join();
      return "";
    }
    RpcProtocol.Method method = clientProtocol.methods().get(message.getIdentifier());
    if (method == null) {
      throw new IOException("There is no method " + message.getIdentifier());
    }
    ForwardedCall forwarded = ForwardedCall.decode(message, method.requestPrototype());
    if (forwarded.term() != term) {
      throw new StandbyException(
          "This NameNode leads in term " + term + ", not in that of the call");
    }
    Message reply = calls.run(forwarded).toCompletableFuture().join();
    return ForwardedCall.encode(reply);
  }
}
