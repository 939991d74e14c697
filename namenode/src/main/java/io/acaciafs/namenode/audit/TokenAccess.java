package io.acaciafs.namenode.audit;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.hadoop.hdfs.DFSUtil;
import org.apache.hadoop.hdfs.protocolPB.PBHelperClient;
import org.apache.hadoop.security.proto.SecurityProtos.CancelDelegationTokenRequestProto;
import org.apache.hadoop.security.proto.SecurityProtos.GetDelegationTokenResponseProto;
import org.apache.hadoop.security.proto.SecurityProtos.RenewDelegationTokenRequestProto;
import org.apache.hadoop.security.proto.SecurityProtos.TokenProto;
import org.apache.hadoop.thirdparty.protobuf.Message;
import org.jspecify.annotations.Nullable;

/**
 * How calls about delegation tokens appear in the audit log: the token stands where others have a
 * path. Stateless.
 */
final class TokenAccess {
  private TokenAccess() {}

  static void addRules(Map<String, AuditRule> rules) {
    rules.put("getDelegationToken", AuditRule.of("getDelegationToken").each(TokenAccess::issued));
    rules.put(
        "renewDelegationToken",
        AuditRule.of(
            "renewDelegationToken",
            RenewDelegationTokenRequestProto.class,
            request -> text(request.getToken())));
    rules.put(
        "cancelDelegationToken",
        AuditRule.of(
            "cancelDelegationToken",
            CancelDelegationTokenRequestProto.class,
            request -> text(request.getToken())));
  }

  /** Nothing where no tokens are issued. */
  private static List<Access> issued(Message request, @Nullable Message reply) {
    GetDelegationTokenResponseProto told =
        (GetDelegationTokenResponseProto) Objects.requireNonNull(reply, "the call succeeded");
    return told.hasToken()
        ? List.of(new Access(true, "getDelegationToken", text(told.getToken()), null))
        : List.of();
  }

  private static String text(TokenProto token) {
    try {
      return DFSUtil.decodeDelegationToken(PBHelperClient.convertDelegationToken(token))
          .toStringStable();
    } catch (IOException | RuntimeException e) { // no rule makes a short name of its owner
      return "a token that makes no sense";
    }
  }
}
