package io.acaciafs.bench.datanode;

import io.acaciafs.bench.workload.Replicas;
import io.acaciafs.namenode.process.ResourceStack;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.protocol.proto.HdfsProtos.LocatedBlockProto;

/** Some DataNodes of one NameNode, until {@link #close}. */
public final class PretendedDatanodes implements Replicas, AutoCloseable {
  private final ResourceStack resources = new ResourceStack();
  private final Map<String, PretendedDatanode> byUuid = new HashMap<>();

  private PretendedDatanodes() {}

  /** Registers so many. */
  public static PretendedDatanodes start(InetSocketAddress nameNode, int count) throws IOException {
    PretendedDatanodes all = new PretendedDatanodes();
    Configuration conf = new Configuration();
    try {
      for (int i = 0; i < count; i++) {
        PretendedDatanode each = all.resources.add(PretendedDatanode.start(nameNode, conf, i));
        all.byUuid.put(each.uuid(), each);
      }
      return all;
    } catch (IOException e) {
      throw all.resources.closeAfter(e);
    }
  }

  @Override
  public CompletableFuture<Void> report(LocatedBlockProto located, long lengthBytes) {
    return Replicas.reportBy(located, lengthBytes, byUuid, PretendedDatanode::receive);
  }

  @Override
  public void close() throws IOException {
    resources.close();
  }
}
