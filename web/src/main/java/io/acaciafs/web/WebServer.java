package io.acaciafs.web;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSUtil;
import org.apache.hadoop.http.HttpServer2;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The NameNode's one HTTP server: Hadoop's own {@link HttpServer2}, so that {@code /jmx}, {@code
 * /conf}, {@code /stacks}, {@code /logLevel}, authentication and TLS are those of HDFS.
 *
 * <p>{@link #bind} takes the address, so whether it is free is known at once; {@link #start} does
 * the slow part on a thread of its own. Who connects in between is answered after it; who asks
 * while it ends is answered with 503. Bind, start and close are for one thread; parts are asked on
 * the starting thread.
 */
public final class WebServer implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(WebServer.class);
  private static final long START_SECONDS = 60;

  private final Configuration conf;
  private final @Nullable ServerSocketChannel listener;
  private final InetSocketAddress address;
  private final CompletableFuture<JettyServer> started = new CompletableFuture<>();
  private @Nullable Thread starter;

  private WebServer(
      Configuration conf, @Nullable ServerSocketChannel listener, InetSocketAddress address) {
    this.conf = conf;
    this.listener = listener;
    this.address = address;
  }

  /**
   * Takes dfs.namenode.http-address (or that of https, if dfs.http.policy wants it alone, when it
   * starts).
   *
   * @throws IOException with a sentence, when it is taken
   */
  public static WebServer bind(Configuration conf) throws IOException {
    Configuration own = new Configuration(conf); // Hadoop's server changes its own
    if (!DFSUtil.getHttpPolicy(own).isHttpEnabled()) {
      return new WebServer(own, null, WebAddress.https(own));
    }
    ServerSocketChannel listener = WebAddress.listen(WebAddress.http(own), own);
    try {
      return new WebServer(own, listener, (InetSocketAddress) listener.getLocalAddress());
    } catch (IOException e) {
      listener.close();
      throw e;
    }
  }

  /** Where it listens, with the real port. */
  public InetSocketAddress address() {
    return address;
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
      JettyServer server = JettyServer.create(conf, listener, parts);
      if (started.complete(server)) {
        LOG.info("HTTP server started: address={}", address);
      } else {
        stop(server); // closed meanwhile
      }
    } catch (IOException | RuntimeException | LinkageError e) {
      LOG.error("HTTP server could not start: address={}", address, e);
      closeListener();
      started.completeExceptionally(e);
    }
  }

  private void closeListener() {
    if (listener != null) {
      try {
        listener.close();
      } catch (IOException e) {
        LOG.warn("HTTP address could not be given back: address={}", address, e);
      }
    }
  }

  private void stop(JettyServer server) {
    try {
      server.stop();
    } catch (Exception e) {
      LOG.warn("HTTP server did not stop in order: address={}", address, e);
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
    closeListener();
  }
}
