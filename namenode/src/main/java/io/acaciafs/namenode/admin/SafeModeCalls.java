package io.acaciafs.namenode.admin;

import io.acaciafs.namenode.reply.Answers;
import io.acaciafs.namenode.reply.SafeModeGuard;
import io.acaciafs.rpc.protocol.RpcCall;
import io.acaciafs.rpc.protocol.RpcProtocol;
import java.io.IOException;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.SafeModeActionProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.SaveNamespaceRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.SaveNamespaceResponseProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.SetSafeModeRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.SetSafeModeResponseProto;
import org.apache.hadoop.security.AccessControlException;

/** How administrators look at safe mode and switch it, and what they may ask for in it alone. */
public final class SafeModeCalls {
  /** Calls under way are bounded by themselves; this is for one that a bug keeps. */
  private static final long IDLE_SECONDS = 60;

  private final Answers answers;
  private final SafeModeGuard guard;

  public SafeModeCalls(Answers answers, SafeModeGuard guard) {
    this.answers = answers;
    this.guard = guard;
  }

  public void register(RpcProtocol.Builder protocol) {
    protocol
        .asyncMethod("setSafeMode", SetSafeModeRequestProto.class, this::setSafeMode)
        .method("saveNamespace", SaveNamespaceRequestProto.class, this::saveNamespace);
  }

  private CompletableFuture<SetSafeModeResponseProto> setSafeMode(
      RpcCall call, SetSafeModeRequestProto request) throws AccessControlException {
    if (request.getAction() != SafeModeActionProto.SAFEMODE_GET) {
      answers.callers().checkSuperuser(call, request.getAction().name().toLowerCase(Locale.ROOT));
    }
    return switch (request.getAction()) {
      case SAFEMODE_ENTER -> {
        guard.safeMode().enter();
        yield guard.idle().orTimeout(IDLE_SECONDS, TimeUnit.SECONDS).thenApply(nothing -> state());
      }
      case SAFEMODE_LEAVE, SAFEMODE_FORCE_EXIT -> {
        guard.safeMode().leave();
        yield CompletableFuture.completedFuture(state());
      }
      case SAFEMODE_GET -> CompletableFuture.completedFuture(state());
    };
  }

  /** All that was answered is on disk already; what is left is who may ask, and when. */
  private SaveNamespaceResponseProto saveNamespace(RpcCall call, SaveNamespaceRequestProto request)
      throws IOException {
    answers.callers().checkSuperuser(call);
    if (!guard.safeMode().isOn()) {
      throw new IOException("Safe mode should be turned ON in order to create namespace image.");
    }
    return SaveNamespaceResponseProto.newBuilder().setSaved(true).build();
  }

  private SetSafeModeResponseProto state() {
    return SetSafeModeResponseProto.newBuilder().setResult(guard.safeMode().isOn()).build();
  }
}
