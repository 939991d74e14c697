package io.acaciafs.namenode.admin;

import io.acaciafs.kv.StoreException;
import io.acaciafs.kv.engine.EngineStore;
import io.acaciafs.namenode.reply.Callers;
import io.acaciafs.rpc.protocol.RpcCall;
import io.acaciafs.rpc.protocol.RpcProtocol;
import java.io.IOException;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.RollEditsRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.RollEditsResponseProto;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * {@code dfsadmin -rollEdits}: ends the current segment of the store's commit log, which is what
 * Acacia has for HDFS's edit log, and begins the next one.
 */
public final class EditLogCalls {
  private static final Logger LOG = LoggerFactory.getLogger(EditLogCalls.class);

  private final Callers callers;
  private final EngineStore store;

  public EditLogCalls(Callers callers, EngineStore store) {
    this.callers = callers;
    this.store = store;
  }

  public void register(RpcProtocol.Builder protocol) {
    protocol.blockingMethod("rollEdits", RollEditsRequestProto.class, this::rollEdits);
  }

  private RollEditsResponseProto rollEdits(RpcCall call, RollEditsRequestProto request)
      throws IOException {
    callers.checkSuperuser(call, "rollEditLog");
    try {
      long first = store.rollLog();
      LOG.info("Log rolled user={} first={}", call.user().getShortUserName(), first);
      return RollEditsResponseProto.newBuilder().setNewSegmentTxId(first).build();
    } catch (StoreException e) {
      throw new IOException(e.getMessage(), e);
    }
  }
}
