package io.acaciafs.bench.fleet;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.apache.hadoop.hdfs.protocol.Block;
import org.apache.hadoop.hdfs.protocol.BlockListAsLongs;
import org.apache.hadoop.hdfs.protocol.BlockListAsLongs.BlockReportReplica;
import org.apache.hadoop.hdfs.protocol.DatanodeID;
import org.apache.hadoop.hdfs.protocol.proto.DatanodeProtocolProtos.BlockReceivedAndDeletedRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.DatanodeProtocolProtos.BlockReportContextProto;
import org.apache.hadoop.hdfs.protocol.proto.DatanodeProtocolProtos.BlockReportRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.DatanodeProtocolProtos.DatanodeRegistrationProto;
import org.apache.hadoop.hdfs.protocol.proto.DatanodeProtocolProtos.HeartbeatRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.DatanodeProtocolProtos.RegisterDatanodeRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.DatanodeProtocolProtos.StorageBlockReportProto;
import org.apache.hadoop.hdfs.protocol.proto.DatanodeProtocolProtos.StorageReceivedDeletedBlocksProto;
import org.apache.hadoop.hdfs.protocol.proto.HdfsProtos.DatanodeStorageProto;
import org.apache.hadoop.hdfs.protocolPB.PBHelper;
import org.apache.hadoop.hdfs.protocolPB.PBHelperClient;
import org.apache.hadoop.hdfs.security.token.block.ExportedBlockKeys;
import org.apache.hadoop.hdfs.server.datanode.DataStorage;
import org.apache.hadoop.hdfs.server.protocol.DatanodeRegistration;
import org.apache.hadoop.hdfs.server.protocol.DatanodeStorage;
import org.apache.hadoop.hdfs.server.protocol.NamespaceInfo;
import org.apache.hadoop.hdfs.server.protocol.ReceivedDeletedBlockInfo;
import org.apache.hadoop.hdfs.server.protocol.ReceivedDeletedBlockInfo.BlockStatus;
import org.apache.hadoop.hdfs.server.protocol.StorageReport;
import org.apache.hadoop.util.VersionInfo;

/**
 * One DataNode: its identity and what it says. Each has an address of its own on the loopback
 * interface, as NameNodes take the DataNode that registers last at an address for the only one
 * there. Its replicas lie on its first storage. For the thread of its {@link NameNodeLink}s.
 */
final class SimulatedDatanode {
  private static final long CAPACITY_BYTES = 1L << 44;
  private static final int FIRST_PORT = 9864;
  private static final int HOSTS_IN_NET = 250;

  /** What happened to a replica; {@code told} completes when a NameNode knows. */
  record Event(ReceivedDeletedBlockInfo info, CompletableFuture<Void> told) {}

  private final int number;
  private final Holdings holdings;
  private final String address;
  private final String uuid;
  private final String blockPool;
  private final DatanodeRegistrationProto registration;
  private final RegisterDatanodeRequestProto register;
  private final List<Block> received = new ArrayList<>();
  private int storages = 1;
  private HeartbeatRequestProto heartbeat;
  private HeartbeatRequestProto heartbeatForLease;

  /**
   * @param number from 0
   * @param uuidPrefix followed by the number
   */
  SimulatedDatanode(int number, String uuidPrefix, NamespaceInfo namespace, Holdings holdings) {
    this.number = number;
    this.holdings = holdings;
    address = addressOf(number);
    uuid = uuidPrefix + number;
    blockPool = namespace.getBlockPoolID();
    registration =
        PBHelper.convert(
            new DatanodeRegistration(
                new DatanodeID(
                    address,
                    address,
                    uuid,
                    FIRST_PORT + 2,
                    FIRST_PORT,
                    FIRST_PORT + 1,
                    FIRST_PORT + 3),
                new DataStorage(namespace),
                new ExportedBlockKeys(),
                VersionInfo.getVersion()));
    register = RegisterDatanodeRequestProto.newBuilder().setRegistration(registration).build();
    heartbeat = newHeartbeat(false);
    heartbeatForLease = newHeartbeat(true);
  }

  private static String addressOf(int number) {
    int net = number / HOSTS_IN_NET;
    return "127."
        + (1 + net / HOSTS_IN_NET)
        + "."
        + net % HOSTS_IN_NET
        + "."
        + (1 + number % HOSTS_IN_NET);
  }

  /** Where its connections begin. */
  String address() {
    return address;
  }

  String uuid() {
    return uuid;
  }

  /** From now on its heartbeats name so many storages. */
  void storages(int count) {
    storages = count;
    heartbeat = newHeartbeat(false);
    heartbeatForLease = newHeartbeat(true);
  }

  RegisterDatanodeRequestProto register() {
    return register;
  }

  /**
   * @param asksForLease whether it wants to send a full report
   */
  HeartbeatRequestProto heartbeat(boolean asksForLease) {
    return asksForLease ? heartbeatForLease : heartbeat;
  }

  private HeartbeatRequestProto newHeartbeat(boolean asksForLease) {
    HeartbeatRequestProto.Builder message =
        HeartbeatRequestProto.newBuilder()
            .setRegistration(registration)
            .setXceiverCount(1)
            .setXmitsInProgress(0)
            .setFailedVolumes(0)
            .setCacheCapacity(0)
            .setCacheUsed(0)
            .setRequestFullBlockReportLease(asksForLease);
    for (int i = 0; i < storages; i++) {
      message.addReports(
          PBHelperClient.convert(
              new StorageReport(
                  new DatanodeStorage(storageUuid(i)),
                  false,
                  CAPACITY_BYTES,
                  CAPACITY_BYTES / 2,
                  CAPACITY_BYTES / 2,
                  CAPACITY_BYTES / 2,
                  0)));
    }
    return message.build();
  }

  /** The first one is named as that of a loaded DataNode. */
  private String storageUuid(int index) {
    return "DS-" + uuid + (index == 0 ? "" : "-" + index);
  }

  private DatanodeStorageProto storage() {
    return PBHelperClient.convert(new DatanodeStorage(storageUuid(0)));
  }

  @SuppressWarnings("deprecation") // the uuid that old NameNodes read is a required field
  BlockReceivedAndDeletedRequestProto incrementalReport(List<Event> events) {
    StorageReceivedDeletedBlocksProto.Builder replicas =
        StorageReceivedDeletedBlocksProto.newBuilder()
            .setStorageUuid(storageUuid(0))
            .setStorage(storage());
    events.forEach(event -> replicas.addBlocks(PBHelper.convert(event.info())));
    return BlockReceivedAndDeletedRequestProto.newBuilder()
        .setRegistration(registration)
        .setBlockPoolId(blockPool)
        .addBlocks(replicas)
        .build();
  }

  /** From now on it has this one too. */
  void receive(Block block) {
    received.add(block);
  }

  private Stream<Block> replicas() {
    return Stream.concat(holdings.of(number), received.stream());
  }

  BlockReportRequestProto fullReport(long leaseId) {
    BlockListAsLongs encoded =
        BlockListAsLongs.encode(replicas().map(BlockReportReplica::new).toList());
    return BlockReportRequestProto.newBuilder()
        .setRegistration(registration)
        .setBlockPoolId(blockPool)
        .addReports(
            StorageBlockReportProto.newBuilder()
                .setStorage(storage())
                .setNumberOfBlocks(encoded.getNumberOfBlocks())
                .addAllBlocksBuffers(encoded.getBlocksBuffers()))
        .setContext(
            BlockReportContextProto.newBuilder()
                .setTotalRpcs(1)
                .setCurRpc(0)
                .setId(System.nanoTime())
                .setLeaseId(leaseId))
        .build();
  }

  /** That replicas which it holds were deleted and came back: nothing has changed in the end. */
  List<Event> comingsAndGoings(int replicas) {
    CompletableFuture<Void> nobody = new CompletableFuture<>();
    List<Event> events = new ArrayList<>();
    replicas()
        .limit(replicas)
        .forEach(
            block -> {
              events.add(event(block, BlockStatus.DELETED_BLOCK, nobody));
              events.add(event(block, BlockStatus.RECEIVED_BLOCK, nobody));
            });
    return events;
  }

  static Event event(Block block, BlockStatus status, CompletableFuture<Void> told) {
    return new Event(new ReceivedDeletedBlockInfo(block, status, null), told);
  }
}
