package io.acaciafs.web;

import java.io.IOException;
import java.nio.channels.ServerSocketChannel;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.DFSUtil;
import org.apache.hadoop.http.HttpServer2;
import org.eclipse.jetty.server.Connector;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.resource.Resource;
import org.eclipse.jetty.util.thread.QueuedThreadPool;
import org.eclipse.jetty.webapp.AbstractConfiguration;
import org.eclipse.jetty.webapp.WebAppContext;

/** Makes Hadoop's HTTP server ours: on a socket that is open already, with pages from the jar. */
final class JettyServer {
  /** The name that HDFS gives its NameNode's log of requests (http.requests.namenode). */
  private static final String NAME = "namenode";

  private static final String PAGES = "webapps/" + NAME;

  /** Hadoop's default is 250. */
  private static final int MAX_THREADS = 32;

  private static final int MIN_THREADS = 4;

  private JettyServer() {}

  /**
   * @param listener null: HTTPS alone, which binds by itself
   */
  static HttpServer2 create(Configuration conf, ServerSocketChannel listener, List<WebPart> parts)
      throws IOException {
    conf.setInt(
        HttpServer2.HTTP_MAX_THREADS_KEY,
        conf.getInt(HttpServer2.HTTP_MAX_THREADS_KEY, MAX_THREADS));
    HttpServer2 server =
        DFSUtil.getHttpServerTemplate(
                conf,
                WebAddress.http(conf),
                WebAddress.https(conf),
                NAME,
                DFSConfigKeys.DFS_NAMENODE_KERBEROS_INTERNAL_SPNEGO_PRINCIPAL_KEY,
                DFSConfigKeys.DFS_NAMENODE_KEYTAB_FILE_KEY)
            .configureXFrame(
                conf.getBoolean(
                    DFSConfigKeys.DFS_XFRAME_OPTION_ENABLED,
                    DFSConfigKeys.DFS_XFRAME_OPTION_ENABLED_DEFAULT))
            .setXFrameOption(
                conf.getTrimmed(
                    DFSConfigKeys.DFS_XFRAME_OPTION_VALUE,
                    DFSConfigKeys.DFS_XFRAME_OPTION_VALUE_DEFAULT))
            .build();
    WebAppContext context = server.getWebAppContext();
    nameThreads(context.getServer());
    servePages(context);
    if (listener != null) {
      takeOver(context.getServer(), listener);
    }
    WebSite site = new WebSite(context);
    parts.forEach(part -> part.addTo(site));
    server.start();
    return server;
  }

  private static void nameThreads(Server server) {
    if (server.getThreadPool() instanceof QueuedThreadPool pool) {
      pool.setName("web");
      pool.setMinThreads(Math.min(MIN_THREADS, pool.getMaxThreads()));
    }
  }

  /**
   * Straight from the jar: as a web application they would be unpacked into a temporary folder, and
   * the whole class path searched for parts of it.
   */
  private static void servePages(WebAppContext context) {
    context.setConfigurations(
        new org.eclipse.jetty.webapp.Configuration[] {new NothingToConfigure()});
    context.setBaseResource(Resource.newClassPathResource(PAGES));
  }

  private static final class NothingToConfigure extends AbstractConfiguration {}

  private static void takeOver(Server server, ServerSocketChannel listener) throws IOException {
    for (Connector connector : server.getConnectors()) {
      if (connector instanceof ServerConnector plain
          && plain.getDefaultConnectionFactory().getProtocol().startsWith("HTTP")) {
        plain.open(listener);
        return;
      }
    }
    throw new IllegalStateException("The server has no connector for HTTP");
  }
}
