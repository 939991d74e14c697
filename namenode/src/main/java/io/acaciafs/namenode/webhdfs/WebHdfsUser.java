package io.acaciafs.namenode.webhdfs;

import java.util.function.Supplier;
import javax.servlet.http.HttpServletRequest;
import javax.ws.rs.core.Context;
import org.apache.hadoop.security.UserGroupInformation;

/** Gives Hadoop's methods the user of their request. Made by Jersey. */
final class WebHdfsUser implements Supplier<UserGroupInformation> {
  @Context private HttpServletRequest request;
  @Context private WebHdfsServices services;

  @Override
  public UserGroupInformation get() {
    return services.users().ofWebHdfs(request);
  }
}
