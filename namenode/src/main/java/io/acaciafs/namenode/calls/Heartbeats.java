package io.acaciafs.namenode.calls;

import io.acaciafs.blocks.datanode.Datanode;
import java.io.IOException;
import org.apache.hadoop.hdfs.protocol.proto.DatanodeProtocolProtos.HeartbeatRequestProto;
import org.apache.hadoop.hdfs.protocolPB.PBHelper;
import org.apache.hadoop.hdfs.protocolPB.PBHelperClient;
import org.apache.hadoop.hdfs.server.protocol.DatanodeRegistration;
import org.apache.hadoop.hdfs.server.protocol.StorageReport;

/** What the message of a heartbeat says. Stateless. */
public final class Heartbeats {
  private Heartbeats() {}

  /** A method of the block manager that takes a heartbeat, and answers nothing. */
  @FunctionalInterface
  public interface Receiver {
    void receive(DatanodeRegistration registration, StorageReport[] reports, Datanode.Load load)
        throws IOException;
  }

  /** Tells a receiver all that a heartbeat says, but for its wish to report. */
  public static void tell(HeartbeatRequestProto heartbeat, Receiver receiver) throws IOException {
    receiver.receive(
        PBHelper.convert(heartbeat.getRegistration()),
        PBHelperClient.convertStorageReports(heartbeat.getReportsList()),
        load(heartbeat));
  }

  static Datanode.Load load(HeartbeatRequestProto heartbeat) {
    return new Datanode.Load(
        heartbeat.getCacheCapacity(),
        heartbeat.getCacheUsed(),
        heartbeat.getXceiverCount(),
        heartbeat.getXmitsInProgress());
  }
}
