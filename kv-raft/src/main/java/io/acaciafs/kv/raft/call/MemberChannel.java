package io.acaciafs.kv.raft.call;

import org.apache.ratis.thirdparty.io.grpc.ManagedChannel;
import org.apache.ratis.thirdparty.io.grpc.netty.NettyChannelBuilder;

/** Channels of gRPC to a member's port. Stateless. */
public final class MemberChannel {
  private static final int MOST_MESSAGE_BYTES = 4 << 20;

  private MemberChannel() {}

  /**
   * One that connects when it is first used.
   *
   * @param address {@code host:port}
   */
  public static ManagedChannel to(String address, ChannelSecurity security) {
    int colon = address.lastIndexOf(':');
    NettyChannelBuilder channel =
        NettyChannelBuilder.forAddress(
            address.substring(0, colon), Integer.parseInt(address.substring(colon + 1)));
    return security.secure(channel).maxInboundMessageSize(MOST_MESSAGE_BYTES).build();
  }
}
