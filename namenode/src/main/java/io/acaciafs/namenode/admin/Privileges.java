package io.acaciafs.namenode.admin;

import io.acaciafs.namenode.reply.Callers;
import io.acaciafs.namenode.reply.NotYet;
import io.acaciafs.rpc.protocol.RpcCall;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hadoop.security.AccessControlException;
import org.apache.hadoop.thirdparty.protobuf.Message;

/**
 * Calls that Acacia does not support yet. HDFS allows some of them to the superuser only; other
 * users get HDFS's refusal. Source: the callers of {@code FSNamesystem.checkSuperuserPrivilege}.
 */
public final class Privileges {
  private final Callers callers;
  private final Map<String, String> operations;

  /**
   * @param operations by the method's name, as HDFS calls them in its refusal
   */
  private Privileges(Callers callers, Map<String, String> operations) {
    this.callers = callers;
    this.operations = operations;
  }

  public static Privileges ofClientProtocol(Callers callers) {
    return new Privileges(
        callers,
        Stream.of("getCurrentEditLogTxid", "getEditsFromTxid")
            .collect(Collectors.toMap(Function.identity(), Function.identity())));
  }

  /** Answers a call that Acacia does not support yet. */
  public Message refuse(RpcCall call, Message request) throws AccessControlException {
    String operation = operations.get(call.method());
    if (operation != null) {
      callers.checkSuperuser(call, operation);
    }
    throw NotYet.refusal(call.method());
  }
}
