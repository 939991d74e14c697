package io.acaciafs.namenode.webuser;

import io.acaciafs.web.RequestUser;
import java.io.IOException;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.security.token.delegation.DelegationTokenIdentifier;
import org.apache.hadoop.hdfs.server.common.JspHelper;
import org.apache.hadoop.hdfs.server.common.TokenVerifier;
import org.apache.hadoop.security.SecurityUtil;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.UserGroupInformation.AuthenticationMethod;
import org.apache.hadoop.security.token.Token;
import org.jspecify.annotations.Nullable;

/**
 * Tells the user of a request: the one place for all that is served for a user.
 *
 * <p>With security on it is the one that Hadoop's filter has found, or the one for which that one
 * may ask ({@code doas}), or the owner of a delegation token in the query, which then counts alone.
 * Without it it is the one that the query names. Safe for use by many threads.
 *
 * <p>Source of the rules and texts: HDFS 3.5's {@code JspHelper.getUGI}.
 */
public final class WebUsers {
  private final Configuration conf;
  private final TokenVerifier<DelegationTokenIdentifier> tokens;

  /**
   * @param tokens refuses, with InvalidToken, those that are not valid; asked only with security on
   */
  public WebUsers(Configuration conf, TokenVerifier<DelegationTokenIdentifier> tokens) {
    this.conf = conf;
    this.tokens = tokens;
  }

  /**
   * Of a request of WebHDFS.
   *
   * @throws SecurityException with HDFS's text and the cause, where there is no such user
   */
  public UserGroupInformation ofWebHdfs(HttpServletRequest request) {
    try {
      UserGroupInformation user = of(request, AuthenticationMethod.KERBEROS, false);
      RequestUser.audit(request);
      return user;
    } catch (IOException e) {
      throw new SecurityException(SecurityUtil.FAILED_TO_GET_UGI_MSG_HEADER + " " + e, e);
    }
  }

  /**
   * Of a request of another servlet; null after it was refused with 403, as nobody is known, or as
   * he may not ask for another.
   */
  public @Nullable UserGroupInformation ofOrRefuse(
      HttpServletRequest request, HttpServletResponse response) throws IOException {
    try {
      return of(request, AuthenticationMethod.KERBEROS_SSL, true);
    } catch (IOException e) {
      response.sendError(HttpServletResponse.SC_FORBIDDEN, e.getMessage());
      return null;
    }
  }

  private UserGroupInformation of(
      HttpServletRequest request, AuthenticationMethod method, boolean asksUgi) throws IOException {
    String token = request.getParameter(JspHelper.DELEGATION_PARAMETER_NAME);
    return token != null && UserGroupInformation.isSecurityEnabled()
        ? owner(request, token)
        : JspHelper.getUGI(request.getServletContext(), request, conf, method, asksUgi);
  }

  private UserGroupInformation owner(HttpServletRequest request, String text) throws IOException {
    Token<DelegationTokenIdentifier> token = WebToken.decode(text);
    token.setKind(DelegationTokenIdentifier.HDFS_DELEGATION_KIND); // WebHDFS has one of its own
    DelegationTokenIdentifier identifier = WebToken.identifier(token);
    tokens.verifyToken(identifier, token.getPassword());
    UserGroupInformation user = identifier.getUser();
    user.addToken(token);
    RequestUser.prove(request, user.toString());
    return user;
  }
}
