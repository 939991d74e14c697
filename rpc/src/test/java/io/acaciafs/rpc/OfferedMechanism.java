package io.acaciafs.rpc;

import io.acaciafs.rpc.options.RpcServerOptions;
import io.acaciafs.rpc.testkit.FixedTokens;
import io.acaciafs.rpc.testkit.TestService;
import io.acaciafs.rpc.testkit.TokenClient;

/** Prints by which mechanism a server of this process takes tokens. */
final class OfferedMechanism {
  private OfferedMechanism() {}

  public static void main(String[] arguments) throws Exception {
    RpcServerOptions options =
        RpcServerOptions.builder()
            .authentication(new FixedTokens().authentication("authentication"))
            .ioThreads(1)
            .build();
    try (RpcServer server = new TestService().start(options);
        TokenClient client = new TokenClient(server, "alice", 1, new byte[] {1}, "auth")) {
      System.out.println("offered=" + client.negotiate().getAuths(0).getMechanism());
    }
  }
}
