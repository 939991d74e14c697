package io.acaciafs.blocks.testkit;

import io.acaciafs.blocks.BlockManager;
import io.acaciafs.blocks.ClusterIdentity;
import io.acaciafs.blocks.datanode.Datanode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.stream.Stream;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.protocol.Block;
import org.apache.hadoop.hdfs.protocol.BlockListAsLongs;
import org.apache.hadoop.hdfs.protocol.BlockListAsLongs.BlockReportReplica;
import org.apache.hadoop.hdfs.protocol.DatanodeID;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.security.token.block.ExportedBlockKeys;
import org.apache.hadoop.hdfs.server.common.HdfsServerConstants.NodeType;
import org.apache.hadoop.hdfs.server.common.HdfsServerConstants.ReplicaState;
import org.apache.hadoop.hdfs.server.common.StorageInfo;
import org.apache.hadoop.hdfs.server.protocol.BlockCommand;
import org.apache.hadoop.hdfs.server.protocol.BlockReportContext;
import org.apache.hadoop.hdfs.server.protocol.DatanodeCommand;
import org.apache.hadoop.hdfs.server.protocol.DatanodeProtocol;
import org.apache.hadoop.hdfs.server.protocol.DatanodeRegistration;
import org.apache.hadoop.hdfs.server.protocol.DatanodeStorage;
import org.apache.hadoop.hdfs.server.protocol.HeartbeatResponse;
import org.apache.hadoop.hdfs.server.protocol.ReceivedDeletedBlockInfo;
import org.apache.hadoop.hdfs.server.protocol.ReceivedDeletedBlockInfo.BlockStatus;
import org.apache.hadoop.hdfs.server.protocol.StorageBlockReport;
import org.apache.hadoop.hdfs.server.protocol.StorageReceivedDeletedBlocks;
import org.apache.hadoop.hdfs.server.protocol.StorageReport;

/** A DataNode as the NameNode sees one. It remembers nothing; a test tells it what to say. */
public final class FakeDatanode {
  public static final long GIB = 1L << 30;

  private final String name;
  private final String uuid;
  private final String ip;
  private final ClusterIdentity identity;
  private final List<DatanodeStorage> storages = new ArrayList<>();
  private BlockManager manager;
  public long remainingBytes = 100 * GIB;
  public int xceivers = 1;
  public int transfersInProgress;
  public int xferPort = 9866;
  public String softwareVersion = "3.5.0";

  /** Places of storages that heartbeats do not name. */
  public final Set<Integer> failed = new TreeSet<>();

  public FakeDatanode(BlockManager manager, ClusterIdentity identity, String name, String ip) {
    this(manager, identity, name, "uuid-" + name, ip);
  }

  /** The name also names its storages. */
  public FakeDatanode(
      BlockManager manager, ClusterIdentity identity, String name, String uuid, String ip) {
    this.uuid = uuid;
    this.manager = manager;
    this.identity = identity;
    this.name = name;
    this.ip = ip;
    withStorage(StorageType.DISK);
  }

  public FakeDatanode withStorage(StorageType type) {
    storages.add(
        new DatanodeStorage(
            "DS-" + name + "-" + storages.size(), DatanodeStorage.State.NORMAL, type));
    return this;
  }

  public void talkTo(BlockManager other) {
    manager = other;
  }

  public String uuid() {
    return uuid;
  }

  public String ip() {
    return ip;
  }

  public String storage(int place) {
    return storages.get(place).getStorageID();
  }

  public DatanodeRegistration registration() {
    return new DatanodeRegistration(
        new DatanodeID(ip, ip, uuid(), xferPort, 9864, 9865, 9867),
        new StorageInfo(
            -57,
            identity.namespaceId(),
            identity.clusterId(),
            identity.cTimeMs(),
            NodeType.DATA_NODE),
        new ExportedBlockKeys(),
        softwareVersion);
  }

  public FakeDatanode start() throws IOException {
    manager.register(registration(), ip).join();
    heartbeat(false);
    return this;
  }

  public HeartbeatResponse heartbeat(boolean requestLease) throws IOException {
    return manager.heartbeat(registration(), reports(), load(), requestLease);
  }

  /** A heartbeat to a NameNode that only reads. */
  public void isHeardBy(BlockManager observer) throws IOException {
    observer.hear(registration(), reports(), load());
  }

  public void lifeline() throws IOException {
    manager.lifeline(registration(), reports(), load());
  }

  private Datanode.Load load() {
    return new Datanode.Load(0, 0, xceivers, transfersInProgress);
  }

  private StorageReport[] reports() {
    return storages.stream()
        .filter(s -> !failed.contains(storages.indexOf(s)))
        .map(s -> new StorageReport(s, false, 200 * GIB, GIB, remainingBytes, GIB, 0))
        .toArray(StorageReport[]::new);
  }

  /** The replicas that the next heartbeat asks to delete. */
  public List<Block> toDelete() throws IOException {
    List<Block> blocks = new ArrayList<>();
    for (DatanodeCommand command : heartbeat(false).getCommands()) {
      if (command.getAction() == DatanodeProtocol.DNA_INVALIDATE) {
        blocks.addAll(Arrays.asList(((BlockCommand) command).getBlocks()));
      }
    }
    return blocks;
  }

  /** The copies that the next heartbeat asks for: to whom. */
  public List<Copy> toCopy() throws IOException {
    List<Copy> copies = new ArrayList<>();
    for (DatanodeCommand command : heartbeat(false).getCommands()) {
      if (command.getAction() == DatanodeProtocol.DNA_TRANSFER) {
        copies.addAll(copies((BlockCommand) command));
      }
    }
    return copies;
  }

  public static List<Copy> copies(BlockCommand transfer) {
    List<Copy> copies = new ArrayList<>();
    for (int i = 0; i < transfer.getBlocks().length; i++) {
      copies.add(
          new Copy(
              transfer.getBlocks()[i],
              Stream.of(transfer.getTargets()[i]).map(DatanodeInfo::getDatanodeUuid).toList()));
    }
    return copies;
  }

  /** A copy that a heartbeat asks for. */
  public record Copy(Block block, List<String> targetUuids) {}

  public void received(Block... blocks) {
    tell(0, BlockStatus.RECEIVED_BLOCK, blocks);
  }

  /** The same, without waiting for the answer. */
  public CompletableFuture<Void> receiving(Block... blocks) {
    return telling(0, BlockStatus.RECEIVED_BLOCK, blocks);
  }

  public void deleted(Block... blocks) {
    tell(0, BlockStatus.DELETED_BLOCK, blocks);
  }

  public void tell(int storage, BlockStatus status, Block... blocks) {
    telling(storage, status, blocks).join();
  }

  private CompletableFuture<Void> telling(int storage, BlockStatus status, Block... blocks) {
    ReceivedDeletedBlockInfo[] infos =
        Stream.of(blocks)
            .map(block -> new ReceivedDeletedBlockInfo(block, status, null))
            .toArray(ReceivedDeletedBlockInfo[]::new);
    return manager.blockReceivedAndDeleted(
        registration(),
        new StorageReceivedDeletedBlocks[] {
          new StorageReceivedDeletedBlocks(storages.get(storage), infos)
        });
  }

  /** A full report of the first storage, of finalized replicas. */
  public DatanodeCommand reportAll(Block... blocks) {
    return report(0, Stream.of(blocks).map(b -> replica(b, ReplicaState.FINALIZED)).toList());
  }

  public DatanodeCommand report(int storage, List<BlockReportReplica> replicas) {
    return report(storage, replicas, null);
  }

  public DatanodeCommand report(
      int storage, List<BlockReportReplica> replicas, BlockReportContext context) {
    BlockListAsLongs.Builder list = BlockListAsLongs.builder();
    replicas.forEach(list::add);
    return reportList(storage, list.build(), context);
  }

  public DatanodeCommand reportList(
      int storage, BlockListAsLongs list, BlockReportContext context) {
    try {
      return manager.blockReport(
          registration(),
          new StorageBlockReport[] {new StorageBlockReport(storages.get(storage), list)},
          context);
    } catch (IOException | RuntimeException e) {
      throw new CompletionException(e); // as all that a node hears of failures
    }
  }

  public static BlockReportReplica replica(Block block, ReplicaState state) {
    BlockReportReplica replica = new BlockReportReplica(block);
    replica.setState(state);
    return replica;
  }
}
