package io.acaciafs.namenode.store;

import io.acaciafs.blocks.ClusterIdentity;
import io.acaciafs.kv.Store;
import io.acaciafs.kv.engine.CheckpointRestore;
import io.acaciafs.kv.engine.Engine;
import io.acaciafs.kv.engine.EngineContext;
import io.acaciafs.kv.engine.EngineProvider;
import io.acaciafs.kv.engine.EngineStore;
import io.acaciafs.kv.engine.Replica;
import io.acaciafs.kv.engine.SnapshotRestore;
import io.acaciafs.namenode.members.LastMember;
import io.acaciafs.namenode.members.LeaseTimes;
import io.acaciafs.namenode.members.Member;
import io.acaciafs.namenode.members.MemberTable;
import io.acaciafs.namenode.members.Members;
import io.acaciafs.namenode.members.SoleUse;
import io.acaciafs.namenode.members.StoredMembers;
import io.acaciafs.namenode.process.Threads;
import io.acaciafs.namenode.settings.KerberosLogin;
import io.acaciafs.namenode.settings.NameNodeConfigKeys;
import io.acaciafs.namenode.settings.NamespaceConfig;
import io.acaciafs.namenode.settings.Settings;
import io.acaciafs.namespace.record.RowKeyLayout;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.security.SecureRandom;
import java.util.Objects;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSUtilClient;
import org.apache.hadoop.util.ExitUtil;
import org.jspecify.annotations.Nullable;

/**
 * The store of the file system, on the engine that acacia.store.engine names. Adds to the engine
 * what is the NameNode's: which folder belongs to which engine, and which NameNodes share a store.
 * Immutable.
 */
public final class StoreEngine {
  private final Configuration conf;
  private final NameDirectory directory;
  private final @Nullable ClusterIdentity identity;
  private final EngineProvider provider;
  private final Engine engine;

  private StoreEngine(
      Configuration conf,
      NameDirectory directory,
      @Nullable ClusterIdentity identity,
      EngineProvider provider)
      throws IOException {
    this.conf = conf;
    this.directory = directory;
    this.identity = identity;
    this.provider = provider;
    this.engine = provider.engine(context(identity == null ? null : ownerOf(identity)));
  }

  /**
   * @param identity of the cluster that owns the store, or will own it; null: not known yet
   * @throws IOException when there is no such engine, or it lacks a setting
   */
  public static StoreEngine of(
      Configuration conf, NameDirectory directory, @Nullable ClusterIdentity identity)
      throws IOException {
    return new StoreEngine(conf, directory, identity, Engines.chosen(conf));
  }

  private EngineContext context(@Nullable String owner) {
    return new EngineContext(
        directory.folder(),
        directory.storeFolder(),
        StoreTables.all(),
        NamespaceConfig.retryExpiryMs(conf),
        owner,
        conf::getTrimmed);
  }

  private static String ownerOf(ClusterIdentity identity) {
    return "cluster " + identity.clusterId() + ", block pool " + identity.blockPoolId();
  }

  /**
   * Where a new namespace places its directories: beside each other where one machine has them all,
   * if nothing else is said.
   *
   * @throws IOException for an unknown engine
   */
  public static RowKeyLayout layout(Configuration conf) throws IOException {
    RowKeyLayout usual =
        Engines.chosen(conf).isShared() ? RowKeyLayout.SPREAD : RowKeyLayout.LOCALITY;
    return NameNodeConfigKeys.LAYOUT.in(conf::getTrimmed, usual);
  }

  /** As the setting names it. */
  public String name() {
    return provider.name();
  }

  /** The engine's name in sentences for people. */
  public String title() {
    return provider.title();
  }

  /** Where the store is, for people. */
  public String place() {
    return engine.place();
  }

  /** Whether several NameNodes use the store at a time. */
  public boolean isShared() {
    return provider.isShared();
  }

  /**
   * Makes an empty store, before anything of the folder is cleared.
   *
   * @param isForced removes what is there
   * @throws io.acaciafs.kv.StoreException when there is a store and it may not be removed
   * @throws IOException when a NameNode serves from what is there
   */
  public void format(boolean isForced) throws IOException {
    if (isShared() && isForced && engine.exists()) {
      try (Store existing = openOfAnyOwner()) {
        requireNoMembers(existing);
      }
    }
    engine.format(isForced);
  }

  /**
   * The same, where a command that was cut off may have made a store.
   *
   * @throws io.acaciafs.kv.StoreException when what is there has another owner
   */
  void formatAnew() throws IOException {
    if (isShared() && engine.exists()) {
      engine.open().close(); // which looks at the owner
    }
    format(true);
  }

  /** {@link Engine#requireLoading}. */
  void requireLoading() throws IOException {
    engine.requireLoading();
  }

  /** Whether there is a store, of this cluster or of another one. */
  boolean exists() {
    return engine.exists();
  }

  /**
   * Waits until no NameNode serves a store that several may share.
   *
   * @throws io.acaciafs.kv.StoreException when one does
   */
  void requireNoMembers(Store store) {
    if (isShared()) {
      MemberTable.requireNone(store, Settings.memberLeaseMs(conf));
    }
  }

  /**
   * The same; also ends NameNodes that only stand still.
   *
   * @throws io.acaciafs.kv.StoreException when one serves
   */
  SoleUse useAlone(Store store) {
    return SoleUse.begin(store, LeaseTimes.ofSystem(Settings.memberLeaseMs(conf)));
  }

  /**
   * @throws IOException when the store is certainly missing, or the folder was formatted for
   *     another engine
   */
  public void requireStore() throws IOException {
    requireSameEngine(); // else the store is not found, and "format it" would be bad advice
    engine.requireStore();
  }

  /** {@link KerberosLogin#loginTool}, where the store is on servers. */
  public void loginTool() throws IOException {
    if (isShared()) {
      KerberosLogin.loginTool(conf);
    }
  }

  /** {@link Engine#requireProtection}. */
  public void requireProtection() throws IOException {
    engine.requireProtection();
  }

  private void requireSameEngine() throws IOException {
    String formatted = directory.engine();
    if (formatted != null && !formatted.equals(name())) {
      throw new IOException(
          "The file system of the folder "
              + directory.folder()
              + " is kept by the engine "
              + formatted
              + ", but "
              + NameNodeConfigKeys.STORE_ENGINE
              + " says "
              + name()
              + ". Set it to "
              + formatted);
    }
  }

  public EngineStore open() {
    return engine.open();
  }

  /** {@link EngineProvider#copyFormat}. */
  public String copyFormat() {
    return provider.copyFormat();
  }

  /** Whether several NameNodes keep the store, and elect the one that serves. */
  public boolean isReplicated() {
    return provider.isReplicated();
  }

  /**
   * Opens this NameNode's part of a replicated store.
   *
   * @throws IOException with a sentence for people when it cannot take part
   */
  public Replica replica() throws IOException {
    return engine.replica().orElseThrow();
  }

  /** Tells NameNodes that are to join which cluster owns the store. */
  public void introduce(Store store) throws IOException {
    if (isShared()) {
      ClusterRow.write(store, Objects.requireNonNull(identity, "a store that serves has an owner"));
    }
  }

  /**
   * Becomes one of the NameNodes that serve the store.
   *
   * @throws IOException when the others could not reach this one
   */
  public Members join(Store store) throws IOException {
    InetSocketAddress address = DFSUtilClient.getNNAddress(conf);
    if (!isShared()) {
      // the lock of the folder keeps all others away
      return Members.alone(
          new Member(
              1, address.getHostString(), address.getPort(), System.currentTimeMillis(), ""));
    }
    if (address.getPort() == 0) {
      throw new IOException(
          "The address of a NameNode on "
              + title()
              + " needs a port, by which others reach it: "
              + address);
    }
    StoredMembers members =
        StoredMembers.join(
            store,
            address.getHostString(),
            address.getPort(),
            LeaseTimes.ofSystem(Settings.memberLeaseMs(conf)),
            new SecureRandom(),
            LastMember.in(directory.current()),
            // Halted and not ended in order: whatever it still does may be wrong.
            () -> ExitUtil.halt(1, "This NameNode must not serve any more, see its log"));
    members.run(Threads.scheduler("members", 1));
    return members;
  }

  /**
   * @throws IOException when the engine makes no copies in folders
   */
  public CheckpointRestore checkpointRestore() throws IOException {
    return engine.checkpointRestore().orElseThrow(this::makesNoCopies);
  }

  /**
   * @throws IOException when the engine keeps no copies
   */
  public SnapshotRestore snapshotRestore() throws IOException {
    return engine.snapshotRestore().orElseThrow(this::makesNoCopies);
  }

  public IOException makesNoCopies() {
    return new IOException("The engine " + name() + " makes no copies of its store");
  }

  /**
   * Makes a folder ready for one more NameNode: copies the store where each NameNode has its own.
   *
   * @return the cluster that it belongs to
   * @throws IOException when this is an engine for one NameNode, no other NameNode gives a copy, or
   *     the store does not know whose it is
   */
  public ClusterIdentity bootstrap() throws IOException {
    if (isReplicated()) {
      ClusterIdentity known = OtherMembers.identity(conf);
      engine.bootstrap();
      return known;
    }
    if (!isShared()) {
      throw new IOException(
          "Only on "
              + Engines.titlesForMany()
              + " can several NameNodes serve one file system: "
              + NameNodeConfigKeys.STORE_ENGINE
              + " is not "
              + Engines.namesForMany());
    }
    return owner();
  }

  /**
   * The cluster that a store on servers belongs to.
   *
   * @throws IOException when the store does not know whose it is
   */
  ClusterIdentity owner() throws IOException {
    try (Store store = openOfAnyOwner()) {
      ClusterIdentity found = ClusterRow.read(store);
      if (found == null) {
        throw new IOException(
            "The "
                + place()
                + " does not say whose it is. Start its NameNode once, which writes it down");
      }
      return found;
    }
  }

  private Store openOfAnyOwner() throws IOException {
    return provider.engine(context(null)).open();
  }
}
