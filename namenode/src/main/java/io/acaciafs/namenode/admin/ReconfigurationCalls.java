package io.acaciafs.namenode.admin;

import io.acaciafs.blocks.Reconfiguration;
import io.acaciafs.namenode.reply.Callers;
import io.acaciafs.rpc.protocol.RpcCall;
import io.acaciafs.rpc.protocol.RpcProtocol;
import java.io.IOException;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.conf.ReconfigurableBase;
import org.apache.hadoop.conf.ReconfigurationException;
import org.apache.hadoop.hdfs.protocol.proto.ReconfigurationProtocolProtos.GetReconfigurationStatusRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.ReconfigurationProtocolProtos.GetReconfigurationStatusResponseProto;
import org.apache.hadoop.hdfs.protocol.proto.ReconfigurationProtocolProtos.ListReconfigurablePropertiesRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.ReconfigurationProtocolProtos.ListReconfigurablePropertiesResponseProto;
import org.apache.hadoop.hdfs.protocol.proto.ReconfigurationProtocolProtos.ReconfigurationProtocolService;
import org.apache.hadoop.hdfs.protocol.proto.ReconfigurationProtocolProtos.StartReconfigurationRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.ReconfigurationProtocolProtos.StartReconfigurationResponseProto;
import org.apache.hadoop.hdfs.protocolPB.ReconfigurationProtocolServerSideUtils;

/**
 * ReconfigurationProtocol: rereads the configuration while the NameNode serves ({@code dfsadmin
 * -reconfig namenode}). Hadoop's own class compares it with what holds, on a thread of its own.
 */
public final class ReconfigurationCalls implements AutoCloseable {
  private final Callers callers;
  private final Task task;

  /**
   * @param others by the name of a further property, what follows it; throws
   *     IllegalArgumentException when the value makes no sense
   * @param reader reads the configuration anew
   */
  public ReconfigurationCalls(
      Callers callers,
      Reconfiguration reconfiguration,
      Map<String, Consumer<Configuration>> others,
      Configuration conf,
      Supplier<Configuration> reader) {
    this.callers = callers;
    this.task = new Task(reconfiguration, others, conf, reader);
  }

  public RpcProtocol protocol() {
    return RpcProtocol.builder(
            "org.apache.hadoop.hdfs.protocol.ReconfigurationProtocol",
            1,
            ReconfigurationProtocolService.newReflectiveBlockingService(null))
        .blockingMethod("startReconfiguration", StartReconfigurationRequestProto.class, this::start)
        .method(
            "getReconfigurationStatus", GetReconfigurationStatusRequestProto.class, this::status)
        .method(
            "listReconfigurableProperties",
            ListReconfigurablePropertiesRequestProto.class,
            this::properties)
        .build();
  }

  private StartReconfigurationResponseProto start(
      RpcCall call, StartReconfigurationRequestProto request) throws IOException {
    callers.checkSuperuser(call);
    task.startReconfigurationTask();
    return StartReconfigurationResponseProto.getDefaultInstance();
  }

  private GetReconfigurationStatusResponseProto status(
      RpcCall call, GetReconfigurationStatusRequestProto request) throws IOException {
    callers.checkSuperuser(call);
    return ReconfigurationProtocolServerSideUtils.getReconfigurationStatus(
        task.getReconfigurationTaskStatus());
  }

  private ListReconfigurablePropertiesResponseProto properties(
      RpcCall call, ListReconfigurablePropertiesRequestProto request) throws IOException {
    callers.checkSuperuser(call);
    return ReconfigurationProtocolServerSideUtils.listReconfigurableProperties(
        List.copyOf(task.getReconfigurableProperties()));
  }

  @Override
  public void close() {
    task.shutdownReconfigurationTask();
  }

  /** What Hadoop's class wants to know. */
  private static final class Task extends ReconfigurableBase {
    private final Reconfiguration reconfiguration;
    private final Map<String, Consumer<Configuration>> others;
    private final Supplier<Configuration> reader;

    Task(
        Reconfiguration reconfiguration,
        Map<String, Consumer<Configuration>> others,
        Configuration conf,
        Supplier<Configuration> reader) {
      super(new Configuration(conf)); // which it changes
      this.reconfiguration = reconfiguration;
      this.others = Map.copyOf(others);
      this.reader = reader;
    }

    @Override
    protected Configuration getNewConf() {
      return reader.get();
    }

    @Override
    public Collection<String> getReconfigurableProperties() {
      Collection<String> properties = new TreeSet<>(Reconfiguration.properties());
      properties.addAll(others.keySet());
      return properties;
    }

    @Override
    protected String reconfigurePropertyImpl(String property, String newValue)
        throws ReconfigurationException {
      Configuration next = new Configuration(getConf());
      if (newValue == null) {
        next.unset(property);
      } else {
        next.set(property, newValue);
      }
      try {
        others.getOrDefault(property, reconfiguration::apply).accept(next);
      } catch (IllegalArgumentException e) {
        throw new ReconfigurationException(property, newValue, getConf().get(property), e);
      }
      return newValue;
    }
  }
}
