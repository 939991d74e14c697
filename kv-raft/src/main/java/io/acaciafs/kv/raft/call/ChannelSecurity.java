package io.acaciafs.kv.raft.call;

import java.util.Optional;
import org.apache.ratis.grpc.GrpcTlsConfig;
import org.apache.ratis.thirdparty.io.grpc.netty.NettyChannelBuilder;
import org.apache.ratis.thirdparty.io.grpc.netty.NettyServerBuilder;

/** How the members know that they speak to each other. Safe for use by many threads. */
public interface ChannelSecurity {
  /** Every connection is taken for a member's, and all can be read on the wire. */
  ChannelSecurity NONE =
      new ChannelSecurity() {
        @Override
        public NettyChannelBuilder secure(NettyChannelBuilder channel) {
          return channel.usePlaintext();
        }

        @Override
        public NettyServerBuilder secure(NettyServerBuilder server) {
          return server;
        }

        @Override
        public Optional<GrpcTlsConfig> ofRatis() {
          return Optional.empty();
        }

        @Override
        public Watch watch() {
          return () -> {};
        }
      };

  /** Has a channel to another member use it. */
  NettyChannelBuilder secure(NettyChannelBuilder channel);

  /** Has the server that Ratis makes use it for all that comes in at its port. */
  NettyServerBuilder secure(NettyServerBuilder server);

  /** What Ratis is to use, for its own channels and servers. */
  Optional<GrpcTlsConfig> ofRatis();

  /** Takes what changes on the disk, until what it returns is closed. */
  Watch watch();

  /** Looks at files from time to time. */
  interface Watch extends AutoCloseable {
    @Override
    void close();
  }
}
