package io.acaciafs.namenode;

import io.acaciafs.blocks.BlockManager;
import io.acaciafs.kv.engine.EngineStore;
import io.acaciafs.namenode.admin.ClusterCalls;
import io.acaciafs.namenode.admin.EditLogCalls;
import io.acaciafs.namenode.admin.GroupCalls;
import io.acaciafs.namenode.admin.HaCalls;
import io.acaciafs.namenode.admin.MetaSaveCalls;
import io.acaciafs.namenode.admin.Privileges;
import io.acaciafs.namenode.admin.RollingUpgradeCalls;
import io.acaciafs.namenode.admin.SafeModeCalls;
import io.acaciafs.namenode.admin.ServiceHealth;
import io.acaciafs.namenode.admin.UpgradeCalls;
import io.acaciafs.namenode.admin.UserMappingCalls;
import io.acaciafs.namenode.backup.RollbackBackup;
import io.acaciafs.namenode.calls.AclCalls;
import io.acaciafs.namenode.calls.AppendingCalls;
import io.acaciafs.namenode.calls.CacheCalls;
import io.acaciafs.namenode.calls.ChecksBeforeSafeMode;
import io.acaciafs.namenode.calls.DatanodeCalls;
import io.acaciafs.namenode.calls.EncryptionZoneCalls;
import io.acaciafs.namenode.calls.ErasureCodingCalls;
import io.acaciafs.namenode.calls.ListingCalls;
import io.acaciafs.namenode.calls.NamespaceCalls;
import io.acaciafs.namenode.calls.PeerCalls;
import io.acaciafs.namenode.calls.PipelineCalls;
import io.acaciafs.namenode.calls.QuotaCalls;
import io.acaciafs.namenode.calls.ReadingCalls;
import io.acaciafs.namenode.calls.RecoveryCalls;
import io.acaciafs.namenode.calls.RepairCalls;
import io.acaciafs.namenode.calls.SnapshotCalls;
import io.acaciafs.namenode.calls.StoragePolicyCalls;
import io.acaciafs.namenode.calls.SummaryCalls;
import io.acaciafs.namenode.calls.SymlinkCalls;
import io.acaciafs.namenode.calls.TokenCalls;
import io.acaciafs.namenode.calls.WritingCalls;
import io.acaciafs.namenode.calls.XAttrCalls;
import io.acaciafs.namenode.encode.BlockNames;
import io.acaciafs.namenode.ha.Leadership;
import io.acaciafs.namenode.reply.Answers;
import io.acaciafs.namenode.reply.BlockLocations;
import io.acaciafs.namenode.reply.SafeModeGuard;
import io.acaciafs.namenode.settings.NamespaceConfig;
import io.acaciafs.namenode.token.DelegationTokens;
import io.acaciafs.namespace.summary.SubtreeCounter;
import io.acaciafs.rpc.protocol.RpcProtocol;
import java.io.IOException;
import java.time.Clock;
import java.util.List;
import java.util.concurrent.Executor;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CommonConfigurationKeys;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.DFSUtilClient;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.ClientNamenodeProtocol;

/** The protocols of HDFS that this NameNode speaks. */
final class Protocols {
  static final String CLIENT_PROTOCOL = "org.apache.hadoop.hdfs.protocol.ClientProtocol";

  private Protocols() {}

  /**
   * The threads of calls that may not stay on the thread that parsed them.
   *
   * @param longOperations for what may walk a whole subtree
   * @param counter counts what is below directories
   * @param continuations for what follows a commit
   */
  record CallThreads(Executor longOperations, SubtreeCounter counter, Executor continuations) {}

  /**
   * What calls are about.
   *
   * @param rollback makes the backups of rolling upgrades
   * @param isAlone no other NameNode can ever take over
   * @param health for {@code hdfs haadmin}
   */
  record Served(
      EngineStore store,
      BlockManager blocks,
      DelegationTokens tokens,
      RollbackBackup rollback,
      boolean isAlone,
      ServiceHealth health) {}

  /**
   * Calls on files and directories, which an observer answers too as far as they read.
   *
   * @param safeMode of the blocks
   */
  record Reads(
      Answers answers,
      BlockLocations locations,
      BlockManager blocks,
      SafeModeGuard safeMode,
      Clock clock) {
    /**
     * @param longOperations for what may walk a whole subtree
     * @param counter counts what is below directories
     */
    void register(
        RpcProtocol.Builder client,
        Configuration conf,
        Executor longOperations,
        SubtreeCounter counter) {
      new NamespaceCalls(answers, locations, longOperations).register(client);
      new SymlinkCalls(answers, NamespaceConfig.symlinksEnabled(conf)).register(client);
      new SummaryCalls(answers, counter).register(client);
      new StoragePolicyCalls(answers).register(client);
      new ListingCalls(
              answers,
              locations,
              blocks,
              conf.getInt(
                  DFSConfigKeys.DFS_NAMENODE_BATCHED_LISTING_LIMIT,
                  DFSConfigKeys.DFS_NAMENODE_BATCHED_LISTING_LIMIT_DEFAULT))
          .register(client);
      new XAttrCalls(answers).register(client);
      new AclCalls(answers).register(client);
      new ReadingCalls(answers, locations, safeMode, clock).register(client);
    }
  }

  static SafeModeGuard safeModeGuard(Configuration conf, BlockManager blocks, Answers answers) {
    return new SafeModeGuard(
        blocks.safeMode(),
        DFSUtilClient.getNNAddress(conf).getHostName(),
        new ChecksBeforeSafeMode(
            answers.callers(),
            answers.namespace().settings().features().ownerSetsQuota(),
            NamespaceConfig.symlinksEnabled(conf)));
  }

  static List<RpcProtocol> of(
      Configuration conf,
      Served served,
      Clock clock,
      Leadership leadership,
      CallThreads threads,
      Answers answers)
      throws IOException {
    EngineStore store = served.store();
    BlockManager blocks = served.blocks();
    BlockLocations locations = new BlockLocations(blocks, answers.callers().clients());
    SafeModeGuard safeMode = safeModeGuard(conf, blocks, answers);
    RpcProtocol.Builder client =
        RpcProtocol.builder(
                CLIENT_PROTOCOL, 1, ClientNamenodeProtocol.newReflectiveBlockingService(null))
            .otherwise(Privileges.ofClientProtocol(answers.callers())::refuse)
            .admission(safeMode);
    Reads reads = new Reads(answers, locations, blocks, safeMode, clock);
    reads.register(client, conf, threads.longOperations(), threads.counter());
    new QuotaCalls(answers, threads.longOperations()).register(client);
    BlockNames names = new BlockNames(blocks.versionRequest().getBlockPoolID());
    new WritingCalls(answers, blocks, names, threads.continuations()).register(client);
    new PipelineCalls(answers, names, blocks.tokens()).register(client);
    new AppendingCalls(answers, names, blocks.tokens()).register(client);
    new SafeModeCalls(answers, safeMode).register(client);
    new ClusterCalls(
            blocks,
            answers.callers(),
            answers.namespace().settings().features().storagePolicies(),
            store,
            conf)
        .register(client);
    new RepairCalls(answers, blocks, store).register(client);
    new EncryptionZoneCalls(answers, blocks.tokens()).register(client);
    new ErasureCodingCalls(answers, blocks, conf).register(client);
    new CacheCalls(answers.callers()).register(client);
    new SnapshotCalls(answers).register(client);
    new TokenCalls(served.tokens()).register(client);
    new EditLogCalls(answers.callers(), store).register(client);
    new UpgradeCalls(answers.callers(), conf).register(client);
    new RollingUpgradeCalls(
            answers.callers(), safeMode, blocks, served.rollback(), served.isAlone(), clock)
        .register(client);
    new MetaSaveCalls(answers.callers(), blocks, store, clock).register(client);
    int maxDataLength =
        conf.getInt(
            CommonConfigurationKeys.IPC_MAXIMUM_DATA_LENGTH,
            CommonConfigurationKeys.IPC_MAXIMUM_DATA_LENGTH_DEFAULT);
    DatanodeCalls datanodes = new DatanodeCalls(blocks, store, maxDataLength, safeMode);
    if (leadership.isElected()) {
      datanodes.takeOver(leadership.heard());
    }
    return List.of(
        client.build(),
        datanodes.protocol(new RecoveryCalls(answers, names)),
        new PeerCalls(blocks, answers.callers(), safeMode).protocol(),
        new HaCalls(answers.callers(), leadership.role(), served.health()).protocol(),
        UserMappingCalls.protocol(),
        GroupCalls.protocol());
  }
}
