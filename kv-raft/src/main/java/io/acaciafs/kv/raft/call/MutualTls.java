package io.acaciafs.kv.raft.call;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.apache.ratis.grpc.GrpcTlsConfig;
import org.apache.ratis.thirdparty.io.grpc.netty.GrpcSslContexts;
import org.apache.ratis.thirdparty.io.grpc.netty.NettyChannelBuilder;
import org.apache.ratis.thirdparty.io.grpc.util.AdvancedTlsX509KeyManager;
import org.apache.ratis.thirdparty.io.grpc.util.AdvancedTlsX509TrustManager;
import org.apache.ratis.thirdparty.io.netty.handler.ssl.SslContext;
import org.apache.ratis.thirdparty.io.netty.handler.ssl.SslProvider;

/**
 * Each member shows a certificate of the site's authority, and takes no other one. The host that is
 * connected to must be named by the certificate that it shows.
 *
 * <p>Source: gRPC's AdvancedTlsX509KeyManager and AdvancedTlsX509TrustManager.
 */
public final class MutualTls implements ChannelSecurity {
  private static final long LOOK_SECONDS = 10;

  private final PemFiles files;
  private final AdvancedTlsX509KeyManager key = new AdvancedTlsX509KeyManager();
  private final AdvancedTlsX509TrustManager trust;
  private final SslContext client;

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
    this.files = files;
    for (Path each : new Path[] {files.key(), files.certificate(), files.authorities()}) {
      if (!Files.isReadable(each)) {
        throw new IOException(each + " cannot be read, so the members cannot use TLS");
      }
    }
    try {
      trust = AdvancedTlsX509TrustManager.newBuilder().build(); // looks at the host's name too
      key.updateIdentityCredentials(files.certificate().toFile(), files.key().toFile());
      trust.updateTrustCredentials(files.authorities().toFile());
      client =
          GrpcSslContexts.configure(
                  GrpcSslContexts.forClient().keyManager(key).trustManager(trust), SslProvider.JDK)
              .build();
    } catch (GeneralSecurityException | IOException | IllegalArgumentException e) {
      throw unusable(e);
    }
  }

  private IOException unusable(Exception cause) {
    return new IOException(
        "The members cannot use TLS with " + files + ": " + cause.getMessage(), cause);
  }

  @Override
  public NettyChannelBuilder secure(NettyChannelBuilder channel) {
    return channel.sslContext(client);
  }

  @Override
  public Optional<GrpcTlsConfig> ofRatis() {
    return Optional.of(
        GrpcTlsConfig.newBuilder()
            .setKeyManager(key)
            .setTrustManager(trust)
            .setMutualTls(true)
            .setSslProvider(SslProvider.JDK)
            .build());
  }

  /** New connections have what the files hold; a file that cannot be read changes nothing. */
  @Override
  public Closeable watch() throws IOException {
    ScheduledExecutorService thread =
        Executors.newSingleThreadScheduledExecutor(
            work -> {
              Thread watcher = new Thread(work, "raft-certificates");
              watcher.setDaemon(true);
              return watcher;
            });
    try {
      key.updateIdentityCredentials(
          files.certificate().toFile(),
          files.key().toFile(),
          LOOK_SECONDS,
          TimeUnit.SECONDS,
          thread);
      trust.updateTrustCredentials(
          files.authorities().toFile(), LOOK_SECONDS, TimeUnit.SECONDS, thread);
    } catch (IOException | GeneralSecurityException e) {
      thread.shutdownNow();
      throw unusable(e);
    }
    return thread::shutdownNow;
  }
}
