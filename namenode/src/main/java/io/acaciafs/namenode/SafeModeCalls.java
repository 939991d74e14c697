package io.acaciafs.namenode;

import io.acaciafs.namespace.Caller;
import io.acaciafs.rpc.RpcCall;
import io.acaciafs.rpc.RpcProtocol;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.SafeModeActionProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.SetSafeModeRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.SetSafeModeResponseProto;
import org.apache.hadoop.security.AccessControlException;

/** How administrators look at safe mode and switch it. */
final class SafeModeCalls {
  /** Calls under way are bounded by themselves; this is for one that a bug keeps. */
  private static final long IDLE_SECONDS = 60;

  private final Answers answers;
  private final SafeModeGuard guard;

  SafeModeCalls(Answers answers, SafeModeGuard guard) {
    this.answers = answers;
    this.guard = guard;
  }

  void register(RpcProtocol.Builder protocol) {
    protocol.asyncMethod("setSafeMode", SetSafeModeRequestProto.class, this::setSafeMode);
  }

  private CompletableFuture<SetSafeModeResponseProto> setSafeMode(
      RpcCall call, SetSafeModeRequestProto request) throws AccessControlException {
    if (request.getAction() != SafeModeActionProto.SAFEMODE_GET) {
      checkSuperuser(call);
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

  private SetSafeModeResponseProto state() {
    return SetSafeModeResponseProto.newBuilder().setResult(guard.safeMode().isOn()).build();
  }

  private void checkSuperuser(RpcCall call) throws AccessControlException {
    Caller caller = answers.callers().of(call);
    if (answers.namespace().settings().permissionsEnabled() && !caller.isSuperuser()) {
      throw new AccessControlException(
          "Access denied for user " + caller.user() + ". Superuser privilege is required");
    }
  }
}
