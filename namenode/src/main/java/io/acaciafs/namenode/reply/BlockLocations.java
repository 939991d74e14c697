package io.acaciafs.namenode.reply;

import io.acaciafs.blocks.BlockManager;
import io.acaciafs.blocks.token.BlockTokens;
import io.acaciafs.blocks.token.TokenUser;
import io.acaciafs.kv.Reader;
import io.acaciafs.namespace.record.FileBlock;
import io.acaciafs.namespace.record.FileInode;
import io.acaciafs.namespace.record.Inode;
import io.acaciafs.rpc.protocol.RpcCall;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionException;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlocks;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenIdentifier.AccessMode;
import org.apache.hadoop.ipc.ObserverRetryOnActiveException;
import org.jspecify.annotations.Nullable;

/**
 * Where the bytes of a file are: its blocks from the namespace, their replicas from the block rows,
 * nearest to the reader first.
 */
public final class BlockLocations {
  private final BlockManager blocks;
  private final RoutedClients clients;
  private final boolean isObserver;

  private BlockLocations(BlockManager blocks, RoutedClients clients, boolean isObserver) {
    this.blocks = blocks;
    this.clients = clients;
    this.isObserver = isObserver;
  }

  /** Of a NameNode that leads. */
  public BlockLocations(BlockManager blocks, RoutedClients clients) {
    this(blocks, clients, false);
  }

  /**
   * Of one that answers reads while another one leads. Where it knows no place of a block, and
   * where something is to be written, it fails with {@link ObserverRetryOnActiveException}, in a
   * {@link CompletionException}. Source: HDFS 3.5's FSNamesystem.getBlockLocations.
   */
  public static BlockLocations ofObserver(BlockManager blocks, RoutedClients clients) {
    return new BlockLocations(blocks, clients, true);
  }

  /** The access time of a file is to be written. */
  public void accessIsDue(String path) {
    if (isObserver) {
      throw new CompletionException(
          new ObserverRetryOnActiveException("The access time of " + path + " is to be set"));
    }
  }

  /** Of the reply to this call that says where blocks are, without tokens. */
  public NodeBasis basis(RpcCall call) {
    return NodeBasis.of(blocks, clients, call);
  }

  /** The same of one that says where blocks are and {@linkplain #sign signs} them. */
  public NodeBasis basisOfSigned(RpcCall call) {
    return NodeBasis.ofSigned(blocks, clients, call);
  }

  /**
   * Gives the blocks the tokens with which the caller may read them, where DataNodes ask for such.
   *
   * @return the same
   */
  public LocatedBlocks sign(RpcCall call, LocatedBlocks located) {
    BlockTokens tokens = blocks.tokens();
    if (!tokens.isEnabled()) {
      return located;
    }
    if (!tokens.isReady()) {
      throw new CompletionException(
          new ObserverRetryOnActiveException("There are no block keys here yet"));
    }
    TokenUser user = SignedBlocks.userOf(call);
    LocatedBlock last = located.getLastLocatedBlock();
    for (LocatedBlock block : located.getLocatedBlocks()) {
      tokens.sign(block, AccessMode.READ, user);
      last = last == block ? null : last;
    }
    if (last != null) {
      tokens.sign(last, AccessMode.READ, user);
    }
    return located;
  }

  /** All blocks of an inode; null for a directory. */
  public @Nullable LocatedBlocks of(RpcCall call, Reader reader, Inode inode) {
    return inode instanceof FileInode file ? of(call, reader, file, 0, Long.MAX_VALUE) : null;
  }

  /**
   * The blocks that overlap a range of the file.
   *
   * @param reader what says where the replicas are
   * @param offsetBytes not negative
   * @param lengthBytes not negative; may reach beyond the end
   */
  public LocatedBlocks of(
      RpcCall call, Reader reader, FileInode file, long offsetBytes, long lengthBytes) {
    FileBlock last = file.lastBlock();
    if (last == null) {
      return new LocatedBlocks(0, file.isUnderConstruction(), List.of(), null, false, null, null);
    }
    boolean lastComplete = !file.isUnderConstruction() || blocks.isComplete(reader, last.id());
    long completeLength = file.lengthBytes() - (lastComplete ? 0 : last.lengthBytes());
    long lastOffset = file.lengthBytes() - last.lengthBytes();
    LocatedBlock locatedLast = locate(reader, last, lastOffset, !lastComplete);
    List<LocatedBlock> located = new ArrayList<>();
    for (FileInode.PlacedBlock placed : file.blocksIn(offsetBytes, lengthBytes)) {
      FileBlock block = placed.block();
      located.add(block == last ? locatedLast : locate(reader, block, placed.offsetBytes(), false));
    }
    String clientMachine = clients.machine(call);
    blocks.sortForReader(clientMachine, located);
    if (located.isEmpty() || located.get(located.size() - 1) != locatedLast) {
      blocks.sortForReader(clientMachine, List.of(locatedLast));
    }
    return new LocatedBlocks(
        completeLength, file.isUnderConstruction(), located, locatedLast, lastComplete, null, null);
  }

  private LocatedBlock locate(
      Reader reader, FileBlock block, long offsetBytes, boolean underConstruction) {
    LocatedBlock located = blocks.locate(reader, block.toBlock(), offsetBytes, underConstruction);
    if (isObserver && located.getLocations().length == 0) {
      throw new CompletionException(
          new ObserverRetryOnActiveException("Zero blocklocations for block " + block.id()));
    }
    return located;
  }
}
