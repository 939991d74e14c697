package io.acaciafs.namenode;

import io.acaciafs.blocks.RollingUpgrades;
import io.acaciafs.kv.engine.EngineStore;
import io.acaciafs.kv.engine.Snapshots;
import io.acaciafs.namenode.backup.SharedBackup;
import io.acaciafs.namenode.backup.StorePauses;
import io.acaciafs.namenode.members.LeaseRevocation;
import io.acaciafs.namenode.members.MemberClient;
import io.acaciafs.namenode.members.MemberReceiver;
import io.acaciafs.namenode.members.MemberSender;
import io.acaciafs.namenode.members.Members;
import io.acaciafs.namenode.members.Messenger;
import io.acaciafs.namenode.process.ResourceStack;
import io.acaciafs.namenode.process.Threads;
import io.acaciafs.namenode.settings.CalledNameNodes;
import io.acaciafs.namenode.settings.Settings;
import io.acaciafs.namespace.lease.DirectoryLeases;
import java.util.concurrent.Executor;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.util.Time;

/**
 * What a NameNode has where several serve one store.
 *
 * @param directoryLeases the directories that this one relies on
 * @param revocation tells the others before directories change
 * @param sender of messages to the others
 * @param receiver of theirs
 * @param snapshots of the store
 * @param pauses in which this NameNode commits nothing, so that a snapshot is of one moment
 */
record OtherNameNodes(
    DirectoryLeases directoryLeases,
    LeaseRevocation revocation,
    MemberSender sender,
    MemberReceiver receiver,
    Snapshots snapshots,
    StorePauses pauses) {
  /** Where each message to another NameNode waits for the answer. */
  private static final int THREADS = 16;

  private static final int QUEUE = 100_000;

  /** One that is not answered is sent again so often before its receiver may be taken for dead. */
  private static final int MESSAGES_IN_A_LEASE = 5;

  /**
   * Connects them. Nothing is sent before {@link LeaseRevocation#begin}.
   *
   * @param upgrades are read anew before another NameNode takes a snapshot: what is deleted after
   *     it, DataNodes may have to keep
   * @param resources ends their threads and connections
   */
  static OtherNameNodes connect(
      Configuration conf,
      EngineStore store,
      Members members,
      RollingUpgrades upgrades,
      ResourceStack resources) {
    DirectoryLeases directoryLeases = new DirectoryLeases(members::leaseHolds);
    Snapshots snapshots = store.snapshots().orElseThrow();
    StorePauses pauses =
        resources.add(
            new StorePauses(
                snapshots, Threads.owned(resources, Threads.scheduler("pause-end", 1))));
    long leaseMs = Settings.memberLeaseMs(conf);
    Messenger messenger =
        resources.add(
            new MemberClient(
                conf,
                new CalledNameNodes(conf, Assembly::configuration, Time::monotonicNow)::believing,
                (int) Math.max(1, leaseMs / MESSAGES_IN_A_LEASE)));
    Executor executor = Threads.owned(resources, Threads.pool("announcement", THREADS, QUEUE));
    MemberSender sender =
        new MemberSender(
            members,
            messenger,
            executor,
            Threads.owned(resources, Threads.scheduler("announcement-retry", 1)));
    LeaseRevocation revocation =
        new LeaseRevocation(members, directoryLeases, store, sender, leaseMs);
    CallingNameNodes nameNodes = new CallingNameNodes(conf);
    MemberReceiver receiver =
        new MemberReceiver(
            members,
            revocation,
            store,
            message -> SharedBackup.hear(message, upgrades::refresh, pauses, executor),
            call -> nameNodes.require(call, "NameNodes alone speak to each other so"));
    return new OtherNameNodes(directoryLeases, revocation, sender, receiver, snapshots, pauses);
  }
}
