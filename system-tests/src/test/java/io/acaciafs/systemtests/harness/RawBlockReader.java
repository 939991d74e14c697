package io.acaciafs.systemtests.harness;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.util.Optional;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.protocol.datatransfer.Sender;
import org.apache.hadoop.hdfs.protocol.proto.DataTransferProtos.BlockOpResponseProto;
import org.apache.hadoop.hdfs.protocol.proto.DataTransferProtos.Status;
import org.apache.hadoop.hdfs.protocolPB.PBHelperClient;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenIdentifier;
import org.apache.hadoop.hdfs.server.datanode.CachingStrategy;
import org.apache.hadoop.security.token.Token;

/** Reads a block from a DataNode with whatever token, over a plain connection. Stateless. */
public final class RawBlockReader {
  private static final int TIMEOUT_MS = 10_000;

  private RawBlockReader() {}

  /** The first block of a file, with a token to read it where tokens are on. */
  public static LocatedBlock firstBlock(DistributedFileSystem fs, Path file) throws IOException {
    return fs.getClient()
        .getNamenode()
        .getBlockLocations(file.toString(), 0, 1)
        .getLocatedBlocks()
        .get(0);
  }

  /**
   * Asks the first DataNode of a block for its first byte.
   *
   * @return its answer; empty where it ends the connection without one
   */
  public static Optional<Status> read(LocatedBlock block, Token<BlockTokenIdentifier> token)
      throws IOException {
    DatanodeInfo node = block.getLocations()[0];
    try (Socket socket = new Socket()) {
      socket.setSoTimeout(TIMEOUT_MS);
      socket.connect(new InetSocketAddress(node.getIpAddr(), node.getXferPort()), TIMEOUT_MS);
      DataOutputStream out = new DataOutputStream(socket.getOutputStream());
      new Sender(out)
          .readBlock(
              block.getBlock(),
              token,
              "raw-reader",
              0,
              1,
              true,
              CachingStrategy.newDefaultStrategy());
      BlockOpResponseProto answer =
          BlockOpResponseProto.parseFrom(
              PBHelperClient.vintPrefixed(new DataInputStream(socket.getInputStream())));
      return Optional.of(answer.getStatus());
    } catch (EOFException | SocketException e) {
      return Optional.empty();
    }
  }
}
