package io.acaciafs.namenode.audit;

import io.acaciafs.namespace.record.Inode;
import io.acaciafs.rpc.protocol.CallListener;
import io.acaciafs.rpc.protocol.EndedCall;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.security.AccessControlException;
import org.apache.hadoop.security.authorize.AuthorizationException;
import org.apache.hadoop.thirdparty.protobuf.Message;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Leads the calls of clients into the audit log and to those who count them. Requests of most calls
 * are kept as bytes and understood on the log's own thread.
 */
public final class AuditedCalls implements CallListener.Provider {
  private static final Logger LOG = LoggerFactory.getLogger(AuditedCalls.class);

  /** Whose calls are told; no method of one has the name of a method of another. */
  private static final Set<String> PROTOCOLS =
      Set.of(
          "org.apache.hadoop.ha.HAServiceProtocol",
          "org.apache.hadoop.hdfs.protocol.ClientProtocol",
          "org.apache.hadoop.hdfs.protocol.ReconfigurationProtocol",
          "org.apache.hadoop.hdfs.server.protocol.NamenodeProtocol",
          "org.apache.hadoop.ipc.GenericRefreshProtocol",
          "org.apache.hadoop.security.RefreshUserMappingsProtocol",
          "org.apache.hadoop.security.authorize.RefreshAuthorizationPolicyProtocol");

  /** What stands for the messages of NameNodes, which are all of one method: where refused. */
  private static final Map<String, AuditRule> MESSAGES =
      Map.of(
          "io.acaciafs.namenode.ForwardProtocol",
          AuditRule.of("forwardedCall").writtenIf(reply -> false),
          "io.acaciafs.namenode.HistoryProtocol",
          AuditRule.of("history").writtenIf(reply -> false),
          "io.acaciafs.namenode.MemberProtocol",
          AuditRule.of("memberMessage").writtenIf(reply -> false));

  private final AuditLog log;
  private final TopUsers top;
  private final Map<String, AuditRule> rules = AuditRules.ofMethods();

  public AuditedCalls(AuditLog log, TopUsers top) {
    this.log = log;
    this.top = top;
  }

  @Override
  public @Nullable CallListener of(String protocol, String method) {
    AuditRule rule = PROTOCOLS.contains(protocol) ? rules.get(method) : MESSAGES.get(protocol);
    if (rule == null) {
      return null;
    }
    String constant = rule.constantCommand();
    TopUsers.Command command = constant == null ? null : top.command(constant);
    return (call, reply, failure) -> ended(rule, command, call, reply, failure);
  }

  /**
   * @param command of all calls of this method; null: each says which it is
   */
  private void ended(
      AuditRule rule,
      TopUsers.@Nullable Command command,
      EndedCall call,
      @Nullable Message reply,
      @Nullable Throwable failure) {
    boolean denied =
        failure instanceof AccessControlException && !(failure instanceof AuthorizationException);
    if (failure != null && !denied) {
      return;
    }
    if (command != null) { // as for nearly all calls: their requests are not looked at here
      if (denied || rule.isWritten(reply)) {
        command.count(call.user().getUserName());
        if (log.isOn()) {
          Message kept = rule.needsReply() ? reply : null; // others may be large
          log.add(
              denied ? () -> denied(rule, call) : () -> done(rule, call, kept),
              call.requestBytes());
        }
      }
      return;
    }
    try {
      if (call.attachment() == Untold.CALL && !denied) {
        return;
      }
      Message request = call.request();
      List<Access> accesses = denied ? List.of(rule.denied(request)) : rule.done(request, reply);
      accesses.forEach(access -> top.command(access.command()).count(call.user().getUserName()));
      if (log.isOn() && !accesses.isEmpty()) {
        log.add(() -> lines(rule, call, accesses), call.requestBytes());
      }
    } catch (IOException e) {
      LOG.warn("Call not audited: call={}", call, e);
    }
  }

  private static List<AuditLine> denied(AuditRule rule, EndedCall call) {
    return List.of(AuditLine.of(call, rule.denied(request(call)), null));
  }

  private static List<AuditLine> done(AuditRule rule, EndedCall call, @Nullable Message reply) {
    return lines(rule, call, rule.done(request(call), reply));
  }

  private static List<AuditLine> lines(AuditRule rule, EndedCall call, List<Access> accesses) {
    Inode.Attributes status =
        rule.tellsStatus() && call.attachment() instanceof Inode.Attributes attributes
            ? attributes
            : null;
    return accesses.stream()
        .map(access -> AuditLine.of(call, access, access.allowed() ? status : null))
        .toList();
  }

  private static Message request(EndedCall call) {
    try {
      return call.request();
    } catch (IOException e) {
      throw new IllegalStateException("A request that was understood before", e);
    }
  }
}
