package io.acaciafs.blocks.settings;

import static io.acaciafs.settings.Range.atLeast;

import io.acaciafs.settings.Setting;
import io.acaciafs.settings.SettingGroup;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** The settings that HDFS does not have. */
public final class BlockConfigKeys {
  static final Setting<Long> EXCHANGE_INTERVAL =
      Setting.ofTimeMs(
          "acacia.datanode.exchange.interval",
          TimeUnit.SECONDS.toMillis(2),
          atLeast(1),
          "on HBase, how often NameNodes tell each other what they know of DataNodes");

  static final Setting<Long> INVALIDATE_RESEND_INTERVAL =
      Setting.ofTimeMs(
          "acacia.datanode.invalidate.resend-interval",
          TimeUnit.MINUTES.toMillis(5),
          atLeast(1),
          "when a deletion that a DataNode has not confirmed is asked for again");

  static final Setting<Integer> MAX_WAITERS_FOR_REPLICAS =
      Setting.ofInt(
          "acacia.blocks.max-waiters-for-replicas",
          100_000,
          atLeast(0),
          "writers",
          "writers that wait for a report at a time; further ones are told to come back");

  /** All of them. */
  public static final SettingGroup ALL =
      new SettingGroup(
          "DataNodes and blocks",
          List.of(EXCHANGE_INTERVAL, INVALIDATE_RESEND_INTERVAL, MAX_WAITERS_FOR_REPLICAS));

  private BlockConfigKeys() {}
}
