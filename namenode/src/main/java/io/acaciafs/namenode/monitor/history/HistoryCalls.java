package io.acaciafs.namenode.monitor.history;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.acaciafs.rpc.protocol.RpcCall;
import io.acaciafs.rpc.protocol.RpcProtocol;
import java.io.IOException;
import org.apache.hadoop.ipc.proto.GenericRefreshProtocolProtos.GenericRefreshProtocolService;
import org.apache.hadoop.ipc.proto.GenericRefreshProtocolProtos.GenericRefreshRequestProto;
import org.apache.hadoop.ipc.proto.GenericRefreshProtocolProtos.GenericRefreshResponseCollectionProto;
import org.apache.hadoop.ipc.proto.GenericRefreshProtocolProtos.GenericRefreshResponseProto;
import org.apache.hadoop.security.AccessControlException;

/** Answers other NameNodes that ask for the history of this one. Safe for use by many threads. */
public final class HistoryCalls {
  /** Tells whether a caller may ask. */
  @FunctionalInterface
  public interface Callers {
    /**
     * @throws AccessControlException for a caller that is no NameNode
     */
    void require(RpcCall call) throws AccessControlException;
  }

  private final History history;
  private final Callers callers;
  private final ObjectMapper mapper = new ObjectMapper();

  public HistoryCalls(History history, Callers callers) {
    this.history = history;
    this.callers = callers;
  }

  public RpcProtocol protocol() {
    return RpcProtocol.builder(
            HistoryProtocol.NAME,
            HistoryProtocol.VERSION,
            GenericRefreshProtocolService.newReflectiveBlockingService(null))
        .blockingMethod("refresh", GenericRefreshRequestProto.class, this::answer)
        .build();
  }

  private GenericRefreshResponseCollectionProto answer(
      RpcCall call, GenericRefreshRequestProto request) throws IOException {
    callers.require(call);
    try {
      String json = mapper.writeValueAsString(history.shown(Window.of(request.getIdentifier())));
      return GenericRefreshResponseCollectionProto.newBuilder()
          .addResponses(GenericRefreshResponseProto.newBuilder().setUserMessage(json))
          .build();
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(e);
    }
  }
}
