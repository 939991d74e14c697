package io.acaciafs.namenode.webhdfs;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import javax.servlet.http.HttpServletRequest;
import javax.ws.rs.Path;
import javax.ws.rs.core.Context;
import org.apache.hadoop.hdfs.protocol.ClientProtocol;
import org.apache.hadoop.hdfs.server.namenode.web.resources.NamenodeWebHdfsMethods;
import org.apache.hadoop.ipc.ExternalCall;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.token.Token;
import org.apache.hadoop.security.token.TokenIdentifier;
import org.jspecify.annotations.Nullable;

/**
 * One request, answered by the methods that Hadoop's NameNode answers it with. They ask a {@link
 * ClientProtocol} for everything but the DataNode to go to, which {@link DataRedirects} tells
 * before they are asked. Used by one thread.
 *
 * <p>Source of what is overridden: HDFS's RouterWebHdfsMethods, which does the same.
 */
@Path("")
public class WebHdfsResource extends NamenodeWebHdfsMethods {
  @Context private WebHdfsServices services;

  /** Called by Jersey for each request. */
  public WebHdfsResource(@Context HttpServletRequest request) {
    super(request);
  }

  @Override
  protected ClientProtocol getRpcClientProtocol() throws IOException {
    return services
        .clients()
        .of(
            UserGroupInformation.getCurrentUser(),
            new InetSocketAddress(
                InetAddress.getByName(getRemoteAddr()), getRemotePortFromJSPHelper()));
  }

  /** There is no queue of calls to stand in: this thread is as good as any. */
  @Override
  @SuppressWarnings("rawtypes") // as it is declared
  protected void queueExternalCall(ExternalCall call) throws IOException, InterruptedException {
    ExternalCall<?> known = call;
    known.getRemoteUser().doAs(known);
  }

  /**
   * With the renewer of HDFS where the client names none: its own user.
   *
   * @return null where no tokens are issued
   */
  @Override
  public @Nullable Token<? extends TokenIdentifier> generateDelegationToken(
      UserGroupInformation user, @Nullable String renewer) throws IOException {
    return WebTokens.issue(services, getRpcClientProtocol(), user, renewer, getScheme());
  }
}
