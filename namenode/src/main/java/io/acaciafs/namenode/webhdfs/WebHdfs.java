package io.acaciafs.namenode.webhdfs;

import java.util.Map;
import javax.servlet.http.HttpServlet;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.client.HdfsClientConfigKeys;
import org.apache.hadoop.hdfs.web.WebHdfsFileSystem;
import org.apache.hadoop.hdfs.web.resources.AclPermissionParam;
import org.apache.hadoop.hdfs.web.resources.ExceptionHandler;
import org.apache.hadoop.hdfs.web.resources.UserParam;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.http.RestCsrfPreventionFilter;
import org.glassfish.jersey.internal.inject.AbstractBinder;
import org.glassfish.jersey.server.ResourceConfig;
import org.glassfish.jersey.servlet.ServletContainer;
import org.jspecify.annotations.Nullable;

/**
 * What an HTTP server needs to serve WebHDFS: a servlet, and the filters before it.
 *
 * <p>Source of the settings: HDFS 3.5's NameNodeHttpServer.initWebHdfs.
 */
public final class WebHdfs {
  /** What the servlet and its filters are for. */
  public static final String PATH = WebHdfsFileSystem.PATH_PREFIX + "/*";

  private static final String CSRF_PREFIX = "dfs.webhdfs.rest-csrf.";

  private WebHdfs() {}

  /**
   * A servlet that prepares itself at its first request, as that takes a second.
   *
   * <p>The patterns of user names and ACLs are the whole process's, in Hadoop's classes.
   */
  public static HttpServlet servlet(WebHdfsServices services) {
    Configuration conf = services.conf();
    UserParam.setUserPattern(
        conf.get(
            HdfsClientConfigKeys.DFS_WEBHDFS_USER_PATTERN_KEY,
            HdfsClientConfigKeys.DFS_WEBHDFS_USER_PATTERN_DEFAULT));
    AclPermissionParam.setAclPermissionPattern(
        conf.get(
            HdfsClientConfigKeys.DFS_WEBHDFS_ACL_PERMISSION_PATTERN_KEY,
            HdfsClientConfigKeys.DFS_WEBHDFS_ACL_PERMISSION_PATTERN_DEFAULT));
    return new ServletContainer(
        new ResourceConfig()
            .register(WebHdfsResource.class)
            .register(ExceptionHandler.class)
            .register(new DataRedirects(services))
            .register(
                new AbstractBinder() {
                  @Override
                  protected void configure() {
                    bindFactory(WebHdfsUser.class).to(UserGroupInformation.class);
                    bind(services).to(WebHdfsServices.class);
                  }
                }));
  }

  /** The header that {@link RestCsrfPreventionFilter} wants of browsers, where it is wanted. */
  public static String csrfHeader(Configuration conf) {
    return conf.getTrimmed(
        CSRF_PREFIX + RestCsrfPreventionFilter.CUSTOM_HEADER_PARAM,
        RestCsrfPreventionFilter.HEADER_DEFAULT);
  }

  /** Parameters of {@link RestCsrfPreventionFilter}, or null where it is not wanted. */
  public static @Nullable Map<String, String> csrfParameters(Configuration conf) {
    return conf.getBoolean(
            HdfsClientConfigKeys.DFS_WEBHDFS_REST_CSRF_ENABLED_KEY,
            HdfsClientConfigKeys.DFS_WEBHDFS_REST_CSRF_ENABLED_DEFAULT)
        ? RestCsrfPreventionFilter.getFilterParams(conf, CSRF_PREFIX)
        : null;
  }
}
