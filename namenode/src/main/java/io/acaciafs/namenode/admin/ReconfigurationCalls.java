package io.acaciafs.namenode.admin;

import io.acaciafs.blocks.Reconfiguration;
import io.acaciafs.namenode.audit.AuditLog;
import io.acaciafs.namenode.reply.Callers;
import io.acaciafs.namenode.settings.NamespaceConfig;
import io.acaciafs.namespace.Namespace;
import io.acaciafs.rpc.protocol.RpcCall;
import io.acaciafs.rpc.protocol.RpcProtocol;
import java.io.IOException;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.conf.ReconfigurableBase;
import org.apache.hadoop.conf.ReconfigurationException;
import org.apache.hadoop.fs.CommonConfigurationKeysPublic;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.protocol.proto.ReconfigurationProtocolProtos.GetReconfigurationStatusRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.ReconfigurationProtocolProtos.GetReconfigurationStatusResponseProto;
import org.apache.hadoop.hdfs.protocol.proto.ReconfigurationProtocolProtos.ListReconfigurablePropertiesRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.ReconfigurationProtocolProtos.ListReconfigurablePropertiesResponseProto;
import org.apache.hadoop.hdfs.protocol.proto.ReconfigurationProtocolProtos.ReconfigurationProtocolService;
import org.apache.hadoop.hdfs.protocol.proto.ReconfigurationProtocolProtos.StartReconfigurationRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.ReconfigurationProtocolProtos.StartReconfigurationResponseProto;
import org.apache.hadoop.hdfs.protocolPB.ReconfigurationProtocolServerSideUtils;
import org.jspecify.annotations.Nullable;

/**
 * ReconfigurationProtocol: rereads the configuration while the NameNode runs ({@code dfsadmin
 * -reconfig namenode}), whether it leads or stands by. Hadoop's own class compares it with what
 * holds, on a thread of its own. What was reread outlasts a change of the role. Safe for use by
 * many threads.
 */
public final class ReconfigurationCalls implements AutoCloseable {
  /** HDFS's words. */
  private static final String NOT_STARTED = "NameNode still not started";

  /** Beside those of blocks. */
  private static final Set<String> OTHERS =
      Set.of(
          CommonConfigurationKeysPublic.FS_PROTECTED_DIRECTORIES,
          CommonConfigurationKeysPublic.HADOOP_CALLER_CONTEXT_ENABLED_KEY,
          DFSConfigKeys.DFS_NAMENODE_MAX_DIRECTORY_ITEMS_KEY);

  private final Callers callers;
  private final Task task;

  /** What a NameNode has while it leads, or while it stands by, and what follows settings. */
  public record Followers(Reconfiguration blocks, Namespace namespace, AuditLog auditLog) {
    /**
     * @throws IllegalArgumentException when the value makes no sense
     */
    private void apply(String property, Configuration now) {
      switch (property) {
        case CommonConfigurationKeysPublic.FS_PROTECTED_DIRECTORIES ->
            namespace.protectedDirectories().set(NamespaceConfig.protectedDirectories(now));
        case CommonConfigurationKeysPublic.HADOOP_CALLER_CONTEXT_ENABLED_KEY ->
            auditLog.configure(now);
        case DFSConfigKeys.DFS_NAMENODE_MAX_DIRECTORY_ITEMS_KEY ->
            namespace.limitDirectoryItems(NamespaceConfig.maxDirectoryItems(now));
        default -> blocks.apply(now);
      }
    }
  }

  /**
   * @param conf that the NameNode started with
   * @param reader reads the configuration anew
   */
  public ReconfigurationCalls(Callers callers, Configuration conf, Supplier<Configuration> reader) {
    this.callers = callers;
    this.task = new Task(conf, reader);
  }

  /**
   * Has these follow what is reread, and what was reread since the start.
   *
   * @param followers null: there are none for now, and nothing can be reread
   */
  public void follow(@Nullable Followers followers) {
    task.follow(followers);
  }

  /** What can be changed while the NameNode runs. */
  public Collection<String> properties() {
    return task.getReconfigurableProperties();
  }

  /** What holds now. */
  public Configuration settings() {
    return task.settings();
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
    private final Supplier<Configuration> reader;
    private final Set<String> changed = new TreeSet<>();

    /** What holds. */
    private Configuration now;

    private @Nullable Followers followers;

    Task(Configuration conf, Supplier<Configuration> reader) {
      super(new Configuration(conf)); // which it changes
      this.now = new Configuration(conf);
      this.reader = reader;
    }

    synchronized void follow(@Nullable Followers next) {
      followers = next;
      if (next != null) {
        changed.forEach(property -> next.apply(property, now));
      }
    }

    synchronized Configuration settings() {
      return now; // which is replaced, and never changed
    }

    @Override
    protected Configuration getNewConf() {
      return reader.get();
    }

    @Override
    public Collection<String> getReconfigurableProperties() {
      Collection<String> properties = new TreeSet<>(Reconfiguration.properties());
      properties.addAll(OTHERS);
      return properties;
    }

    @Override
    protected synchronized String reconfigurePropertyImpl(String property, String newValue)
        throws ReconfigurationException {
      Followers current = followers;
      if (current == null) {
        throw new ReconfigurationException(
            property, newValue, now.get(property), new IOException(NOT_STARTED));
      }
      Configuration next = new Configuration(now);
      if (newValue == null) {
        next.unset(property);
      } else {
        next.set(property, newValue);
      }
      try {
        current.apply(property, next);
      } catch (IllegalArgumentException e) {
        throw new ReconfigurationException(property, newValue, now.get(property), e);
      }
      now = next;
      changed.add(property);
      return newValue;
    }
  }
}
