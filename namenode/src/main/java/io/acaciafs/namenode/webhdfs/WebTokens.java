package io.acaciafs.namenode.webhdfs;

import java.io.IOException;
import java.net.URI;
import org.apache.hadoop.hdfs.HAUtilClient;
import org.apache.hadoop.hdfs.protocol.ClientProtocol;
import org.apache.hadoop.hdfs.protocol.HdfsConstants;
import org.apache.hadoop.hdfs.security.token.delegation.DelegationTokenIdentifier;
import org.apache.hadoop.hdfs.server.common.TokenVerifier;
import org.apache.hadoop.hdfs.web.WebHdfsConstants;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.ipc.StandbyException;
import org.apache.hadoop.security.SecurityUtil;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.token.SecretManager.InvalidToken;
import org.apache.hadoop.security.token.Token;
import org.jspecify.annotations.Nullable;

/**
 * Delegation tokens by HTTP. Stateless.
 *
 * <p>Source: {@code NamenodeWebHdfsMethods.generateDelegationToken}, {@code
 * DelegationTokenSecretManager.createCredentials}.
 */
public final class WebTokens {
  private WebTokens() {}

  /**
   * What verifies tokens, in the form that Hadoop's classes ask for. Without it they would believe
   * any token.
   */
  public static TokenVerifier<DelegationTokenIdentifier> verifier(
      TokenVerifier<DelegationTokenIdentifier> tokens) {
    return (id, password) -> {
      try {
        tokens.verifyToken(id, password);
      } catch (StandbyException e) {
        InvalidToken standby = new InvalidToken("StandbyException"); // which is unpacked again
        standby.initCause(e);
        throw standby;
      }
    };
  }

  /**
   * A new token.
   *
   * @param client acts as the user
   * @param renewer null: the user
   * @param scheme of the request
   * @return null where no tokens are issued
   */
  static @Nullable Token<DelegationTokenIdentifier> issue(
      WebHdfsServices services,
      ClientProtocol client,
      UserGroupInformation user,
      @Nullable String renewer,
      String scheme)
      throws IOException {
    Token<DelegationTokenIdentifier> token =
        client.getDelegationToken(new Text(renewer == null ? user.getShortUserName() : renewer));
    if (token == null) {
      return null;
    }
    URI nameNode = URI.create(HdfsConstants.HDFS_URI_SCHEME + "://" + services.rpcAddress());
    token.setService(
        HAUtilClient.isLogicalUri(services.conf(), nameNode)
            ? HAUtilClient.buildTokenServiceForLogicalUri(nameNode, HdfsConstants.HDFS_URI_SCHEME)
            : SecurityUtil.buildTokenService(nameNode));
    token.setKind(
        scheme.equals("http")
            ? WebHdfsConstants.WEBHDFS_TOKEN_KIND
            : WebHdfsConstants.SWEBHDFS_TOKEN_KIND);
    return token;
  }
}
