package io.acaciafs.kv.raft;

import io.acaciafs.kv.raft.call.ChannelSecurity;
import io.acaciafs.kv.raft.call.GrpcConnection;
import io.acaciafs.kv.raft.call.MemberConnection;
import io.acaciafs.kv.raft.compare.MemberViews;
import io.acaciafs.kv.raft.copy.CopyService;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.apache.ratis.conf.Parameters;
import org.apache.ratis.conf.RaftProperties;
import org.apache.ratis.grpc.GrpcConfigKeys;
import org.apache.ratis.grpc.server.GrpcServices;
import org.apache.ratis.protocol.RaftPeer;
import org.apache.ratis.util.SizeInBytes;

/** Members reach each other by gRPC, each at one port, which serves copies of its store as well. */
final class GrpcNetwork implements MemberNetwork {
  private static final SizeInBytes LARGEST_MESSAGE = SizeInBytes.valueOf("16MB");
  private static final int WORKERS = 2;

  /** Held, as the logger forgets its level else: gRPC logs to the console past the site's log. */
  private static final Logger LOG = Logger.getLogger("org.apache.ratis.thirdparty.io.grpc");

  /** Has gRPC say what goes wrong, and nothing else. */
  static void quiet() {
    LOG.setLevel(Level.WARNING);
  }

  private final ChannelSecurity security;

  GrpcNetwork(ChannelSecurity security) {
    this.security = security;
  }

  @Override
  public void configure(
      RaftOptions options, Answers answers, RaftProperties properties, Parameters parameters) {
    GrpcConfigKeys.Server.setHost(properties, options.host());
    GrpcConfigKeys.Server.setPort(properties, options.port());
    GrpcConfigKeys.Server.setWorkerGroupSize(properties, WORKERS);
    GrpcConfigKeys.setMessageSizeMax(properties, LARGEST_MESSAGE);
    security.ofRatis().ifPresent(tls -> GrpcConfigKeys.TLS.setConf(parameters, tls));
    GrpcConfigKeys.Server.setServicesCustomizer(
        parameters,
        (builder, types) ->
            types.contains(GrpcServices.Type.SERVER)
                ? security
                    .secure(builder)
                    .addService(new CopyService(answers.copy(), answers.standing()).definition())
                    .addService(MemberViews.SERVICE.definition(answers.views()))
                : builder);
  }

  @Override
  public MemberConnection connect(String self, RaftPeer to) {
    return new GrpcConnection(to.getAddress(), security, MemberViews.SERVICE);
  }
}
