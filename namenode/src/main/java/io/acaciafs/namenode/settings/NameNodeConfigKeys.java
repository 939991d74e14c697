package io.acaciafs.namenode.settings;

import static io.acaciafs.settings.Range.atLeast;

import io.acaciafs.namespace.record.RowKeyLayout;
import io.acaciafs.settings.Default;
import io.acaciafs.settings.Setting;
import io.acaciafs.settings.SettingGroup;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** The settings of the process that HDFS does not have. */
public final class NameNodeConfigKeys {
  public static final Setting<String> CLUSTER_ID =
      Setting.ofText(
          "acacia.cluster.id",
          Default.none(),
          "id of a cluster",
          "refuse to start on a folder of another cluster");

  public static final Setting<String> STORE_ENGINE =
      Setting.ofText(
          "acacia.store.engine",
          Default.of("rocksdb"),
          "name of an engine",
          "where the file system is kept: `rocksdb`, in the folder of the NameNode; `raft`, in the"
              + " folders of three, see [ha.md](ha.md); or `hbase`, see"
              + " [deploy-hbase.md](deploy-hbase.md)");

  public static final Setting<RowKeyLayout> LAYOUT =
      Setting.ofChoice(
          "acacia.namespace.layout",
          Default.of("locality; spread with HBase", () -> RowKeyLayout.LOCALITY),
          List.of(RowKeyLayout.values()),
          "read by `acacia format` and `acacia import`, which keep it in the store: `spread` places"
              + " directories by a hash, `locality` beside those with the same two directories"
              + " above, see decisions [016](decisions/016-scaling-on-hbase.md) and"
              + " [027](decisions/027-beside-each-other.md)");

  public static final Setting<Long> MEMBER_LEASE =
      Setting.ofTimeMs(
          "acacia.namenode.lease",
          TimeUnit.SECONDS.toMillis(10),
          atLeast(1),
          "on HBase: after what time of silence the other NameNodes take one for dead; the same for"
              + " all of them");

  public static final Setting<Integer> LONG_OPERATION_THREADS =
      Setting.ofInt(
          "acacia.long.operation.threads",
          4,
          atLeast(1),
          "threads",
          "threads for walks of whole subtrees");

  public static final Setting<Integer> LONG_OPERATION_QUEUE =
      Setting.ofInt(
          "acacia.long.operation.queue",
          256,
          atLeast(1),
          "walks",
          "walks that may wait for these threads; also bounds how many content summaries are under"
              + " way");

  public static final Setting<Integer> AUDIT_QUEUE =
      Setting.ofInt(
          "acacia.audit.queue",
          65_536,
          atLeast(1),
          "events",
          "audit events that may wait to be written; further ones are dropped, and their number is"
              + " logged");

  public static final Setting<String> ROLLBACK_FOLDER =
      Setting.ofText(
          "acacia.rollback.dir",
          Default.of("the folder around dfs.namenode.name.dir", () -> ""),
          "folder",
          "where `dfsadmin -rollingUpgrade prepare` makes the backup for a rollback, as"
              + " `rollback-TIME`, on the machine of the NameNode that serves then; see"
              + " [upgrade.md](upgrade.md)");

  public static final Setting<Boolean> WEB_ACTIONS =
      Setting.ofBoolean(
          "acacia.web.actions",
          true,
          "whether the pages offer to change files, see [console.md](console.md); what users may do"
              + " by WebHDFS stays as it is");

  static final SettingGroup ALL =
      new SettingGroup(
          "NameNode",
          List.of(
              CLUSTER_ID,
              STORE_ENGINE,
              LAYOUT,
              MEMBER_LEASE,
              LONG_OPERATION_THREADS,
              LONG_OPERATION_QUEUE,
              AUDIT_QUEUE,
              ROLLBACK_FOLDER,
              WEB_ACTIONS));

  private NameNodeConfigKeys() {}
}
