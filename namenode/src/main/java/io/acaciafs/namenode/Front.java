package io.acaciafs.namenode;

import io.acaciafs.namenode.admin.ReconfigurationCalls;
import io.acaciafs.namenode.admin.ServiceAuthorization;
import io.acaciafs.namenode.permission.AttributeProvider;
import io.acaciafs.namenode.process.ResourceStack;
import io.acaciafs.namenode.token.TokenVerifier;
import io.acaciafs.rpc.RpcServer;
import io.acaciafs.rpc.options.RpcServerOptions;
import io.acaciafs.rpc.protocol.CallListener;
import io.acaciafs.rpc.protocol.RpcProtocol;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Where calls come in.
 *
 * @param authorization which users may connect; null: all
 * @param provider decides what users may do; null: HDFS's rules do
 * @param reconfiguration rereads settings
 * @param tokens tells which tokens of clients are valid
 * @param server answers the calls
 * @param self this NameNode among those of which one leads; null where it is no such NameNode
 */
record Front(
    @Nullable ServiceAuthorization authorization,
    @Nullable AttributeProvider provider,
    ReconfigurationCalls reconfiguration,
    TokenVerifier tokens,
    Server server,
    Console.@Nullable Self self) {
  /** Answers calls until the resources close. */
  @FunctionalInterface
  interface Server {
    /**
     * @param protocols the first one is the clients'
     */
    RpcServer serve(
        RpcServerOptions options,
        List<RpcProtocol> protocols,
        CallListener.Provider listeners,
        ResourceStack resources)
        throws IOException;
  }

  /** A server that lives as long as the resources. */
  static Front own(
      @Nullable ServiceAuthorization authorization,
      @Nullable AttributeProvider provider,
      ReconfigurationCalls reconfiguration) {
    return new Front(
        authorization,
        provider,
        reconfiguration,
        new TokenVerifier(),
        (options, protocols, listeners, resources) ->
            resources.add(RpcServer.start(options, protocols, listeners)),
        null);
  }
}
