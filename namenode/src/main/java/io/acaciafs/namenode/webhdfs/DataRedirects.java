package io.acaciafs.namenode.webhdfs;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URISyntaxException;
import javax.servlet.http.HttpServletRequest;
import javax.ws.rs.container.ContainerRequestContext;
import javax.ws.rs.container.ContainerRequestFilter;
import javax.ws.rs.core.Context;
import javax.ws.rs.core.MediaType;
import javax.ws.rs.core.Response;
import org.apache.hadoop.fs.InvalidPathException;
import org.apache.hadoop.hdfs.DFSUtil;
import org.apache.hadoop.hdfs.protocol.ClientProtocol;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.security.token.delegation.DelegationTokenIdentifier;
import org.apache.hadoop.hdfs.server.common.JspHelper;
import org.apache.hadoop.hdfs.web.JsonUtil;
import org.apache.hadoop.hdfs.web.WebHdfsFileSystem;
import org.apache.hadoop.hdfs.web.resources.DelegationParam;
import org.apache.hadoop.hdfs.web.resources.DoAsParam;
import org.apache.hadoop.hdfs.web.resources.ExcludeDatanodesParam;
import org.apache.hadoop.hdfs.web.resources.HttpOpParam;
import org.apache.hadoop.hdfs.web.resources.NamenodeAddressParam;
import org.apache.hadoop.hdfs.web.resources.NoRedirectParam;
import org.apache.hadoop.hdfs.web.resources.Param;
import org.apache.hadoop.hdfs.web.resources.UriFsPathParam;
import org.apache.hadoop.hdfs.web.resources.UserParam;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.token.Token;

/**
 * Sends clients on whose bytes a DataNode has or is to get: OPEN, CREATE, APPEND and
 * GETFILECHECKSUM never reach {@link WebHdfsResource}. One object serves all requests.
 *
 * <p>Source of the answers: HDFS 3.5's NamenodeWebHdfsMethods.redirectURI.
 */
public final class DataRedirects implements ContainerRequestFilter {
  private final WebHdfsServices services;
  @Context private HttpServletRequest request;

  DataRedirects(WebHdfsServices services) {
    this.services = services;
  }

  @Override
  public void filter(ContainerRequestContext context) throws IOException {
    QueryParams query = new QueryParams(context.getUriInfo().getQueryParameters());
    RedirectedOp op =
        RedirectedOp.of(context.getMethod(), query.query().getFirst(HttpOpParam.NAME));
    if (op == null) {
      return;
    }
    String path = new UriFsPathParam(context.getUriInfo().getPath()).getAbsolutePath();
    URI datanode = target(op, path, query);
    boolean isTold =
        query.get(NoRedirectParam.NAME, NoRedirectParam.DEFAULT, NoRedirectParam::new).getValue();
    context.abortWith(
        isTold
            ? Response.ok(JsonUtil.toJsonString("Location", datanode))
                .type(MediaType.APPLICATION_JSON)
                .build()
            : Response.temporaryRedirect(datanode)
                .type(MediaType.APPLICATION_OCTET_STREAM)
                .build());
  }

  private URI target(RedirectedOp op, String path, QueryParams query) throws IOException {
    UserParam userName = query.get(UserParam.NAME, UserParam.DEFAULT, UserParam::new);
    DoAsParam doAs = query.get(DoAsParam.NAME, DoAsParam.DEFAULT, DoAsParam::new);
    ExcludeDatanodesParam excluded =
        query.get(
            ExcludeDatanodesParam.NAME, ExcludeDatanodesParam.DEFAULT, ExcludeDatanodesParam::new);
    Param<?, ?>[] params = op.params(query);
    UserGroupInformation user = services.users().ofWebHdfs(request);
    if (!DFSUtil.isValidName(path)) {
      throw new InvalidPathException(path);
    }
    String clientHost = JspHelper.getRemoteAddr(request);
    ClientProtocol client =
        services
            .clients()
            .of(
                user,
                new InetSocketAddress(
                    InetAddress.getByName(clientHost), JspHelper.getRemotePort(request)));
    DatanodeInfo node =
        new RedirectTarget(services, client, clientHost)
            .choose(op, path, params, excluded.getValue());
    return uri(
        request.getScheme(),
        node,
        path,
        op.toQueryString()
            + identity(query, client, user, Param.toSortedString("&", doAs, userName))
            + "&"
            + new NamenodeAddressParam(services.rpcAddress())
            + Param.toSortedString("&", params));
  }

  /**
   * By what the DataNode acts for the user: with security by the client's token, or by one that is
   * made for its redirects.
   *
   * @param names the user that the client names, for where that is believed
   */
  private String identity(
      QueryParams query, ClientProtocol client, UserGroupInformation user, String names)
      throws IOException {
    if (!UserGroupInformation.isSecurityEnabled()) {
      return names;
    }
    DelegationParam shown =
        query.get(DelegationParam.NAME, DelegationParam.DEFAULT, DelegationParam::new);
    if (shown.getValue() != null) {
      return "&" + shown;
    }
    String scheme = request.getScheme();
    Token<DelegationTokenIdentifier> token =
        services
            .redirectTokens()
            .of(user, scheme, () -> WebTokens.issue(services, client, user, null, scheme));
    if (token == null) {
      throw new IOException("There are no delegation tokens");
    }
    return "&" + new DelegationParam(token.encodeToUrlString());
  }

  /**
   * @param scheme the client's own: a client that asked by HTTPS is sent on to HTTPS
   */
  static URI uri(String scheme, DatanodeInfo node, String path, String query) throws IOException {
    int port = "http".equals(scheme) ? node.getInfoPort() : node.getInfoSecurePort();
    try {
      return new URI(
          scheme,
          null,
          node.getHostName(),
          port,
          WebHdfsFileSystem.PATH_PREFIX + path,
          query,
          null);
    } catch (URISyntaxException e) {
      throw new IOException("No address of a DataNode for " + path, e);
    }
  }
}
