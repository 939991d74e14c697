package io.acaciafs.rpc.options;

import static io.acaciafs.settings.Range.atLeast;

import io.acaciafs.settings.Default;
import io.acaciafs.settings.Setting;
import io.acaciafs.settings.SettingGroup;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** The settings that Hadoop does not have. */
public final class RpcConfigKeys {
  private static final int MIB = 1 << 20;

  static final Setting<Transport.Kind> TRANSPORT =
      Setting.ofChoice(
          "acacia.rpc.transport",
          Default.of(Transport.Kind.AUTO),
          List.of(Transport.Kind.values()),
          "how sockets are served; `auto`: epoll where there is one, else nio");

  static final Setting<Integer> IO_THREADS =
      Setting.ofInt(
          "acacia.rpc.io.threads",
          Default.of("one a core", RpcConfigKeys::cores),
          atLeast(1),
          "threads",
          "network threads");

  public static final Setting<Integer> WORKER_THREADS =
      Setting.ofInt(
          "acacia.rpc.worker.threads",
          Default.of("16; 512 with HBase", () -> 16),
          atLeast(1),
          "threads",
          "threads for calls that may wait: with HBase all but most reads of single files");

  static final Setting<Integer> WORKER_QUEUE_LIMIT =
      Setting.ofInt(
          "acacia.rpc.worker.queue.limit",
          1024,
          atLeast(1),
          "calls",
          "calls that may wait for these threads; beyond it clients are told to come back");

  static final Setting<Integer> MAX_CALLS_IN_FLIGHT =
      Setting.ofInt(
          "acacia.rpc.max.calls.in.flight",
          1024,
          atLeast(1),
          "calls",
          "calls under way of one connection; no more of its requests are read until one is"
              + " answered");

  static final Setting<Integer> REPLY_HIGH_WATER =
      Setting.ofInt(
          "acacia.rpc.reply.high.water.bytes",
          MIB,
          atLeast(1),
          "bytes",
          "replies that a client has not taken, at which its requests are no longer read");

  static final Setting<Long> CONNECTION_MEMORY =
      Setting.ofBytes(
          "acacia.rpc.connection.memory",
          Default.of("an eighth of the heap", RpcConfigKeys::eighthOfHeap),
          atLeast(MIB),
          "memory that the NameNode holds for its clients: incomplete requests, requests of calls"
              + " under way, and unread replies. When the budget is used up, the NameNode closes the"
              + " connection that has held most memory for longest in incomplete requests and unread"
              + " replies. One request may take half of the budget, or `ipc.maximum.data.length` if"
              + " that is less, and 8 KiB before the client has named its user");

  static final Setting<Long> REPLY_CACHE =
      Setting.ofBytes(
          "acacia.rpc.reply.cache",
          Default.of("an eighth of the heap", RpcConfigKeys::eighthOfHeap),
          atLeast(0),
          "memory for replies of getFileInfo, getListing, getLocatedFileInfo and getBlockLocations"
              + " that are given again while nothing they rest on has changed; 0 for none. On HBase"
              + " none are kept");

  static final Setting<Long> CLOSE_GRACE =
      Setting.ofTimeMs(
          "acacia.rpc.close.grace.ms",
          TimeUnit.SECONDS.toMillis(2),
          atLeast(0),
          "how long calls under way may take when the NameNode stops");

  static final Setting<Boolean> FAIRNESS_ENABLED =
      Setting.ofBoolean(
          "acacia.rpc.fairness.enabled",
          true,
          "whether users whose calls cost much are served by network threads of their own while"
              + " others call, see [020](decisions/020-bad-clients.md); not with io_uring");

  static final Setting<Boolean> FAIRNESS_BY_CONTEXT =
      Setting.ofBoolean(
          "acacia.rpc.fairness.caller.context",
          false,
          "whether what a user does in one caller context (`hadoop.caller.context.enabled`) has an"
              + " account of its own, for users such as `hive` who work for many; \"top users\" then"
              + " show `USER CONTEXT`");

  static final Setting<Long> FAIRNESS_LIMIT =
      Setting.ofTimeMs(
          "acacia.rpc.fairness.limit",
          100,
          atLeast(1),
          "the recent time of network threads above which separate threads serve a user, if the"
              + " user is among the most costly ones. `dfsadmin -refreshCallQueue` rereads it");

  static final Setting<Long> FAIRNESS_HALF_LIFE =
      Setting.ofTimeMs(
          "acacia.rpc.fairness.half-life",
          TimeUnit.SECONDS.toMillis(1),
          atLeast(1),
          "after this time, used time counts half");

  static final Setting<Integer> FAIRNESS_IO_THREADS =
      Setting.ofInt(
          "acacia.rpc.fairness.io.threads",
          Default.of("as `acacia.rpc.io.threads`", RpcConfigKeys::cores),
          atLeast(1),
          "threads",
          "network threads for such users");

  /** All of them. */
  public static final SettingGroup ALL =
      new SettingGroup(
          "RPC",
          List.of(
              TRANSPORT,
              IO_THREADS,
              WORKER_THREADS,
              WORKER_QUEUE_LIMIT,
              MAX_CALLS_IN_FLIGHT,
              REPLY_HIGH_WATER,
              CONNECTION_MEMORY,
              REPLY_CACHE,
              CLOSE_GRACE,
              FAIRNESS_ENABLED,
              FAIRNESS_BY_CONTEXT,
              FAIRNESS_LIMIT,
              FAIRNESS_HALF_LIFE,
              FAIRNESS_IO_THREADS));

  private RpcConfigKeys() {}

  private static int cores() {
    return Runtime.getRuntime().availableProcessors();
  }

  private static long eighthOfHeap() {
    return Runtime.getRuntime().maxMemory() / 8;
  }
}
