package io.acaciafs.namenode.reply;

import io.acaciafs.blocks.token.BlockTokens;
import io.acaciafs.blocks.token.TokenUser;
import io.acaciafs.rpc.protocol.RpcCall;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.protocol.proto.HdfsProtos.LocatedBlockProto;
import org.apache.hadoop.hdfs.protocolPB.PBHelperClient;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenIdentifier.AccessMode;

/** A writer's blocks, with the tokens that it shows to DataNodes. Stateless. */
public final class SignedBlocks {
  private SignedBlocks() {}

  /** The message of a block, with a token of the caller's where tokens are on. */
  public static LocatedBlockProto message(
      BlockTokens tokens, RpcCall call, LocatedBlock block, AccessMode mode) {
    return PBHelperClient.convertLocatedBlock(tokens.sign(block, mode, userOf(call)));
  }

  /** The user of the tokens in the reply to a call. */
  static TokenUser userOf(RpcCall call) {
    return new TokenUser(call.user().getShortUserName(), call.auxiliaryPortQop());
  }
}
