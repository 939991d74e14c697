package io.acaciafs.kv.raft.call;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.security.GeneralSecurityException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.apache.ratis.grpc.GrpcTlsConfig;
import org.apache.ratis.grpc.GrpcUtil;
import org.apache.ratis.thirdparty.io.grpc.netty.GrpcSslContexts;
import org.apache.ratis.thirdparty.io.grpc.netty.NettyChannelBuilder;
import org.apache.ratis.thirdparty.io.grpc.netty.NettyServerBuilder;
import org.apache.ratis.thirdparty.io.grpc.util.AdvancedTlsX509KeyManager;
import org.apache.ratis.thirdparty.io.grpc.util.AdvancedTlsX509TrustManager;
import org.apache.ratis.thirdparty.io.netty.handler.ssl.SslContext;
import org.apache.ratis.thirdparty.io.netty.handler.ssl.SslProvider;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Each member shows a certificate of the site's authority, and takes no other one. The side that
 * connects wants the other's host to be named by its certificate; the other side does not.
 *
 * <p>Source: gRPC's AdvancedTlsX509KeyManager and AdvancedTlsX509TrustManager.
 */
public final class MutualTls implements ChannelSecurity {
  private static final Logger LOG = LoggerFactory.getLogger(MutualTls.class);
  private static final long LOOK_MS = 10_000;

  private final PemFiles files;
  private final long lookMs;
  private final AdvancedTlsX509KeyManager key = new AdvancedTlsX509KeyManager();
  private final AdvancedTlsX509TrustManager trust;
  private final SslContext client;

  /** When the files that were read last had changed. */
  private List<FileTime> seen;

  /**
   * Files in the form PEM.
   *
   * @param key of this member, PKCS #8, without a password
   * @param certificate of this member, and those between it and the authority
   * @param authorities whose certificates are taken
   */
  public record PemFiles(Path key, Path certificate, Path authorities) {}

  /**
   * Reads the files.
   *
   * @throws IOException with a sentence for people
   */
  public MutualTls(PemFiles files) throws IOException {
    this(files, LOOK_MS);
  }

  /**
   * @param lookMs after what time it looks for other files
   */
  public MutualTls(PemFiles files, long lookMs) throws IOException {
    this.files = files;
    this.lookMs = lookMs;
    for (Path each : new Path[] {files.key(), files.certificate(), files.authorities()}) {
      if (!Files.isReadable(each)) {
        throw new IOException(each + " cannot be read, so the members cannot use TLS");
      }
    }
    try {
      trust = AdvancedTlsX509TrustManager.newBuilder().build(); // looks at the host's name too
      seen = times();
      read();
      client =
          GrpcSslContexts.configure(
                  GrpcSslContexts.forClient().keyManager(key).trustManager(trust), SslProvider.JDK)
              .build();
    } catch (GeneralSecurityException | IOException | IllegalArgumentException e) {
      throw new IOException("The members cannot use TLS with " + files + ": " + e.getMessage(), e);
    }
  }

  @Override
  public NettyChannelBuilder secure(NettyChannelBuilder channel) {
    return channel.sslContext(client);
  }

  /** Ratis has its servers use TLS as well, but writes nowhere which client it refuses. */
  @Override
  public NettyServerBuilder secure(NettyServerBuilder server) {
    return server.protocolNegotiator(
        new WatchedHandshakes(GrpcUtil.buildSslContextForServer(config())));
  }

  @Override
  public Optional<GrpcTlsConfig> ofRatis() {
    return Optional.of(config());
  }

  private GrpcTlsConfig config() {
    return GrpcTlsConfig.newBuilder()
        .setKeyManager(key)
        .setTrustManager(new ExplainedTrust(trust))
        .setMutualTls(true)
        .setSslProvider(SslProvider.JDK)
        .build();
  }

  /** New connections have what the files hold; files that cannot be read change nothing. */
  @Override
  public Watch watch() {
    ScheduledExecutorService thread =
        Executors.newSingleThreadScheduledExecutor(
            work -> {
              Thread watcher = new Thread(work, "raft-certificates");
              watcher.setDaemon(true);
              return watcher;
            });
    thread.scheduleWithFixedDelay(this::look, lookMs, lookMs, TimeUnit.MILLISECONDS);
    return thread::shutdownNow;
  }

  private void look() {
    try {
      List<FileTime> now = times();
      if (!now.equals(seen)) {
        seen = now; // before it reads: what is written meanwhile is read the next time
        read();
        LOG.info("The certificates were read again files={}", files);
      }
    } catch (IOException | GeneralSecurityException | RuntimeException e) {
      LOG.warn("The new certificates cannot be used, those from before stay files={}", files, e);
    }
  }

  private List<FileTime> times() throws IOException {
    return List.of(
        Files.getLastModifiedTime(files.key()),
        Files.getLastModifiedTime(files.certificate()),
        Files.getLastModifiedTime(files.authorities()));
  }

  private void read() throws IOException, GeneralSecurityException {
    key.updateIdentityCredentials(files.certificate().toFile(), files.key().toFile());
    trust.updateTrustCredentials(files.authorities().toFile());
  }
}
