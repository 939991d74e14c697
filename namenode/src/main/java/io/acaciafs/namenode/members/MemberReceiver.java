package io.acaciafs.namenode.members;

import io.acaciafs.kv.Store;
import io.acaciafs.rpc.protocol.RpcCall;
import io.acaciafs.rpc.protocol.RpcProtocol;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.apache.hadoop.ipc.proto.GenericRefreshProtocolProtos.GenericRefreshProtocolService;
import org.apache.hadoop.ipc.proto.GenericRefreshProtocolProtos.GenericRefreshRequestProto;
import org.apache.hadoop.ipc.proto.GenericRefreshProtocolProtos.GenericRefreshResponseCollectionProto;
import org.apache.hadoop.ipc.proto.GenericRefreshProtocolProtos.GenericRefreshResponseProto;
import org.apache.hadoop.security.AccessControlException;

/** Receives the messages of other members. Safe for use by many threads. */
public final class MemberReceiver {
  /** Tells whether a caller may speak as a member. */
  @FunctionalInterface
  public interface Senders {
    /**
     * @throws AccessControlException for a caller that is no NameNode
     */
    void require(RpcCall call) throws AccessControlException;
  }

  private final Members members;
  private final LeaseRevocation revocation;
  private final Store store;
  private final Function<MemberMessage, CompletableFuture<List<String>>> pauser;
  private final Senders senders;

  /**
   * @param store receives the messages of the others' stores
   * @param pauser does what PAUSE and RESUME ask for
   * @param senders looks at callers before their messages are; without Kerberos a member shows by
   *     the secret of its row who it is, and nothing else
   */
  public MemberReceiver(
      Members members,
      LeaseRevocation revocation,
      Store store,
      Function<MemberMessage, CompletableFuture<List<String>>> pauser,
      Senders senders) {
    this.members = members;
    this.revocation = revocation;
    this.store = store;
    this.pauser = pauser;
    this.senders = senders;
  }

  public RpcProtocol protocol() {
    return RpcProtocol.builder(
            MemberProtocol.NAME,
            MemberProtocol.VERSION,
            GenericRefreshProtocolService.newReflectiveBlockingService(null))
        .asyncMethod("refresh", GenericRefreshRequestProto.class, this::receive)
        .build();
  }

  private CompletableFuture<GenericRefreshResponseCollectionProto> receive(
      RpcCall call, GenericRefreshRequestProto request) throws IOException {
    senders.require(call);
    return receive(request).thenApply(MemberReceiver::proto);
  }

  /**
   * @throws IOException for a message that comes from no member
   */
  CompletableFuture<List<String>> receive(GenericRefreshRequestProto request) throws IOException {
    if (MemberMessage.sender(request, members.live()) == null) {
      members.look(); // one that has just begun
    }
    MemberMessage message = MemberMessage.fromProto(request, members.live(), members.self());
    return switch (message.kind()) {
      case HELLO -> revocation.answerHello();
      case BLOCK -> revocation.block(message.namedChange(), message.directoryIds());
      case UNBLOCK -> revocation.unblock(message.namedChange());
      case PAUSE, RESUME -> pauser.apply(message);
      case STORE -> store.session().receive(message.namedChange()).thenApply(List::of);
    };
  }

  private static GenericRefreshResponseCollectionProto proto(List<String> texts) {
    GenericRefreshResponseCollectionProto.Builder answer =
        GenericRefreshResponseCollectionProto.newBuilder();
    for (String text : texts) {
      answer.addResponses(GenericRefreshResponseProto.newBuilder().setUserMessage(text));
    }
    return answer.build();
  }
}
