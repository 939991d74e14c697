package io.acaciafs.web;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.DFSUtil;
import org.apache.hadoop.http.HttpConfig;
import org.apache.hadoop.http.HttpServer2;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The NameNode's one HTTP server: Hadoop's own {@link HttpServer2}, so that {@code /jmx}, {@code
 * /conf}, {@code /stacks}, {@code /logLevel}, authentication and TLS are those of HDFS.
 *
 * <p>{@link #bind} takes the address, so whether it is free is known at once; {@link #start} does
 * the slow part on a thread of its own. A client that connects in between is answered after it; a
 * request while the server ends is answered with 503. Bind, start and close are for one thread;
 * parts are asked on the starting thread.
 */
public final class WebServer implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(WebServer.class);
  private static final long START_SECONDS = 60;

  private final Configuration conf;
  private final Listeners listeners;
  private final @Nullable InetSocketAddress plainAddress;
  private final @Nullable InetSocketAddress tlsAddress;
  private final CompletableFuture<JettyServer> started = new CompletableFuture<>();
  private @Nullable Thread starter;

  /**
   * The sockets that are open.
   *
   * @param plain for HTTP; null where dfs.http.policy does not want it
   * @param tls for HTTPS; null likewise
   */
  record Listeners(@Nullable ServerSocketChannel plain, @Nullable ServerSocketChannel tls) {

    static @Nullable InetSocketAddress address(@Nullable ServerSocketChannel listener)
        throws IOException {
      return listener == null ? null : (InetSocketAddress) listener.getLocalAddress();
    }

    void close() {
      close(plain);
      close(tls);
    }

    private static void close(@Nullable ServerSocketChannel listener) {
      if (listener != null) {
        try {
          listener.close();
        } catch (IOException e) {
          LOG.warn("HTTP address could not be given back", e);
        }
      }
    }
  }

  private WebServer(Configuration conf, Listeners listeners) throws IOException {
    this.conf = conf;
    this.listeners = listeners;
    this.plainAddress = Listeners.address(listeners.plain);
    this.tlsAddress = Listeners.address(listeners.tls);
  }

  /**
   * Takes dfs.namenode.http-address, dfs.namenode.https-address, or both, as dfs.http.policy says.
   *
   * @throws IOException with a sentence, when one is taken, or when certificates or the key of the
   *     principal are not there
   */
  public static WebServer bind(Configuration conf) throws IOException {
    Configuration own = new Configuration(conf); // Hadoop's server changes its own
    if (DFSUtil.getHttpPolicy(own).isHttpsEnabled()) {
      WebTls.read(own);
    }
    WebSecurity.setFilters(own, WebAddress.host(own));
    return listen(own);
  }

  /**
   * The same in a process that had such a server before, as when its role changes: certificates and
   * keys that are no longer right are logged, and keep nothing but HTTP from starting.
   *
   * @throws IOException with a sentence, when an address is taken
   */
  public static WebServer bindAgain(Configuration conf) throws IOException {
    Configuration own = new Configuration(conf);
    try {
      WebSecurity.setFilters(own, WebAddress.host(own));
    } catch (IOException e) {
      LOG.error("No user is known by HTTP", e);
      WebSecurity.knowNobody(own);
    }
    return listen(own);
  }

  private static WebServer listen(Configuration own) throws IOException {
    HttpConfig.Policy policy = DFSUtil.getHttpPolicy(own);
    PagePolicy.set(own);
    ServerSocketChannel plain =
        policy.isHttpEnabled()
            ? WebAddress.listen(
                WebAddress.http(own), own, DFSConfigKeys.DFS_NAMENODE_HTTP_ADDRESS_KEY)
            : null;
    ServerSocketChannel tls = null;
    try {
      tls =
          policy.isHttpsEnabled()
              ? WebAddress.listen(
                  WebAddress.https(own), own, DFSConfigKeys.DFS_NAMENODE_HTTPS_ADDRESS_KEY)
              : null;
      return new WebServer(own, new Listeners(plain, tls));
    } catch (IOException | RuntimeException e) {
      new Listeners(plain, tls).close();
      throw e;
    }
  }

  /** Where it listens, with the real port: for HTTP, or for HTTPS where there is nothing else. */
  public InetSocketAddress address() {
    return plainAddress == null ? Objects.requireNonNull(tlsAddress) : plainAddress;
  }

  /**
   * All that it listens at, by the setting that says so: dfs.namenode.http-address,
   * dfs.namenode.https-address, or both.
   */
  public Map<String, InetSocketAddress> addresses() {
    Map<String, InetSocketAddress> addresses = new LinkedHashMap<>();
    if (plainAddress != null) {
      addresses.put(DFSConfigKeys.DFS_NAMENODE_HTTP_ADDRESS_KEY, plainAddress);
    }
    if (tlsAddress != null) {
      addresses.put(DFSConfigKeys.DFS_NAMENODE_HTTPS_ADDRESS_KEY, tlsAddress);
    }
    return addresses;
  }

  /** Begins to start and returns; a failure is logged, and ends what was bound. */
  public void start(List<WebPart> parts) {
    starter = new Thread(() -> run(parts), "web-start");
    starter.setDaemon(true);
    starter.start();
  }

  /** Completes when it answers, or with what kept it from it. */
  public CompletableFuture<Void> started() {
    return started.thenAccept(server -> {});
  }

  private void run(List<WebPart> parts) {
    try {
      JettyServer server = JettyServer.create(conf, listeners, parts);
      if (started.complete(server)) {
        LOG.info("HTTP server started: address={}", address());
      } else {
        stop(server); // closed meanwhile
      }
    } catch (IOException | RuntimeException | LinkageError e) {
      LOG.error("HTTP server could not start: address={}", address(), e);
      listeners.close();
      started.completeExceptionally(e);
    }
  }

  private void stop(JettyServer server) {
    try {
      server.stop();
    } catch (Exception e) {
      LOG.warn("HTTP server did not stop in order: address={}", address(), e);
    }
  }

  /** Stops listening and ends its threads. Calling it again does nothing. */
  @Override
  public void close() {
    started.cancel(false);
    try {
      if (starter != null) {
        starter.join(TimeUnit.SECONDS.toMillis(START_SECONDS));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    if (!started.isCompletedExceptionally()) {
      stop(started.join());
    }
    listeners.close();
  }
}
