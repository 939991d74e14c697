package io.acaciafs.web;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.DFSUtil;
import org.apache.hadoop.http.HttpServer2;
import org.eclipse.jetty.server.Connector;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.LowResourceMonitor;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.server.SslConnectionFactory;
import org.eclipse.jetty.util.resource.Resource;
import org.eclipse.jetty.util.ssl.SslContextFactory;
import org.eclipse.jetty.util.thread.QueuedThreadPool;
import org.eclipse.jetty.webapp.AbstractConfiguration;
import org.eclipse.jetty.webapp.WebAppContext;
import org.jspecify.annotations.Nullable;

/** Makes Hadoop's HTTP server ours: on a socket that is open already, with pages from the jar. */
record JettyServer(
    HttpServer2 server, EndingHandler ending, @Nullable CertificateReload certificates) {
  /** The name that HDFS gives its NameNode's log of requests (http.requests.namenode). */
  private static final String NAME = "namenode";

  private static final String PAGES = "webapps/" + NAME;

  /** Hadoop's default is 250. */
  private static final int MAX_THREADS = 32;

  private static final int MIN_THREADS = 4;

  /** How long a connection may rest, or keep a thread waiting, if nothing else is configured. */
  private static final int IDLE_TIMEOUT_MS = 4000;

  /** How often the server looks whether all its threads are busy. */
  private static final int BUSY_PERIOD_MS = 250;

  /** How long a client may then keep a thread waiting. */
  private static final int BUSY_IDLE_TIMEOUT_MS = 1000;

  /** Ends it; a request meanwhile is answered with 503. */
  void stop() throws Exception {
    ending.end();
    if (certificates != null) {
      certificates.close();
    }
    server.stop();
  }

  static JettyServer create(Configuration conf, WebServer.Listeners listeners, List<WebPart> parts)
      throws IOException {
    conf.setInt(
        HttpServer2.HTTP_MAX_THREADS_KEY,
        conf.getInt(HttpServer2.HTTP_MAX_THREADS_KEY, MAX_THREADS));
    conf.setInt(HttpServer2.HTTP_IDLE_TIMEOUT_MS_KEY, idleTimeoutMs(conf));
    HttpServer2.Builder template =
        DFSUtil.getHttpServerTemplate(
            conf,
            address(listeners.plain(), WebAddress.http(conf)),
            address(listeners.tls(), null),
            NAME,
            DFSConfigKeys.DFS_NAMENODE_KERBEROS_INTERNAL_SPNEGO_PRINCIPAL_KEY,
            DFSConfigKeys.DFS_NAMENODE_KEYTAB_FILE_KEY);
    CertificateReload.replaceHadoops(conf);
    UserFilter.use(conf);
    HttpServer2 server =
        template
            .hostName(WebAddress.host(conf))
            .setACL(WebSecurity.administrators(conf))
            .configureXFrame(
                conf.getBoolean(
                    DFSConfigKeys.DFS_XFRAME_OPTION_ENABLED,
                    DFSConfigKeys.DFS_XFRAME_OPTION_ENABLED_DEFAULT))
            .setXFrameOption(
                conf.getTrimmed(
                    DFSConfigKeys.DFS_XFRAME_OPTION_VALUE,
                    DFSConfigKeys.DFS_XFRAME_OPTION_VALUE_DEFAULT))
            .build();
    CertificateReload certificates = null;
    try {
      certificates = reload(server.getWebAppContext().getServer(), conf);
      return new JettyServer(server, start(server, conf, listeners, parts), certificates);
    } catch (IOException | RuntimeException | LinkageError e) {
      if (certificates != null) {
        certificates.close();
      }
      stop(server, e);
      throw e;
    }
  }

  private static EndingHandler start(
      HttpServer2 server, Configuration conf, WebServer.Listeners listeners, List<WebPart> parts)
      throws IOException {
    WebAppContext context = server.getWebAppContext();
    nameThreads(context.getServer());
    endureSlowClients(context.getServer());
    servePages(context);
    takeOver(context.getServer(), listeners);
    WebSecurity.closePages(server, conf);
    RequestLines.hideTokens(server);
    WebSite site = new WebSite(context);
    site.filter(
        "/logLevel", new CrossSiteFilter(conf, request -> request.getParameter("level") != null));
    parts.forEach(part -> part.addTo(site));
    Server jetty = context.getServer();
    EndingHandler ending = new EndingHandler();
    ending.setHandler(jetty.getHandler());
    jetty.setHandler(ending);
    server.start();
    return ending;
  }

  /** Null where there is no HTTPS. */
  private static @Nullable CertificateReload reload(Server server, Configuration conf) {
    for (Connector connector : server.getConnectors()) {
      SslConnectionFactory tls = connector.getConnectionFactory(SslConnectionFactory.class);
      if (tls != null && tls.getSslContextFactory() instanceof SslContextFactory.Server shown) {
        return new CertificateReload(conf, shown);
      }
    }
    return null;
  }

  /** Some of its threads run since it was made. */
  private static void stop(HttpServer2 server, Throwable because) {
    try {
      server.stop();
    } catch (Exception e) {
      because.addSuppressed(e);
    }
  }

  private static @Nullable InetSocketAddress address(
      @Nullable ServerSocketChannel listener, @Nullable InetSocketAddress otherwise)
      throws IOException {
    return listener == null
        ? otherwise
        : WebAddress.numeric((InetSocketAddress) listener.getLocalAddress());
  }

  private static void nameThreads(Server server) {
    if (server.getThreadPool() instanceof QueuedThreadPool pool) {
      pool.setName("web");
      pool.setMinThreads(Math.min(MIN_THREADS, pool.getMaxThreads()));
    }
  }

  /**
   * A thread waits while it reads a body or writes to a client that does not take the answer. No
   * part of the server reads a body, so forms are not looked at. When all threads are busy, clients
   * that keep one waiting are disconnected sooner than hadoop.http.idle_timeout.ms says.
   */
  private static void endureSlowClients(Server server) {
    for (Connector connector : server.getConnectors()) {
      HttpConnectionFactory http = connector.getConnectionFactory(HttpConnectionFactory.class);
      http.getHttpConfiguration().setFormEncodedMethods();
    }
    LowResourceMonitor busy = new LowResourceMonitor(server);
    busy.setPeriod(BUSY_PERIOD_MS);
    busy.setLowResourcesIdleTimeout(BUSY_IDLE_TIMEOUT_MS);
    busy.setMaxLowResourcesTime(BUSY_IDLE_TIMEOUT_MS); // then for connections that came since
    server.addBean(busy);
  }

  /** Hadoop's default of a minute would let a few clients hold all threads for a minute. */
  private static int idleTimeoutMs(Configuration conf) {
    int configuredMs =
        conf.getInt(HttpServer2.HTTP_IDLE_TIMEOUT_MS_KEY, HttpServer2.HTTP_IDLE_TIMEOUT_MS_DEFAULT);
    return configuredMs == HttpServer2.HTTP_IDLE_TIMEOUT_MS_DEFAULT
        ? IDLE_TIMEOUT_MS
        : configuredMs;
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

  private static void takeOver(Server server, WebServer.Listeners listeners) throws IOException {
    for (Connector connector : server.getConnectors()) {
      if (connector instanceof ServerConnector ours) {
        boolean isPlain = ours.getDefaultConnectionFactory().getProtocol().startsWith("HTTP");
        ServerSocketChannel listener = isPlain ? listeners.plain() : listeners.tls();
        if (listener == null || ours.isOpen()) {
          throw new IllegalStateException("The server has a connector of nobody: " + connector);
        }
        ours.open(listener);
        if (!isPlain) {
          ours.addBean(new HandshakeLog());
        }
      }
    }
  }
}
