package io.acaciafs.kv.raft;

import io.acaciafs.kv.StoreException;
import io.acaciafs.kv.engine.CheckpointRestore;
import io.acaciafs.kv.engine.Engine;
import io.acaciafs.kv.engine.EngineContext;
import io.acaciafs.kv.engine.EngineStore;
import io.acaciafs.kv.engine.Replica;
import io.acaciafs.kv.raft.log.AppliedMark;
import io.acaciafs.kv.rocksdb.RocksDbEngine;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/** A member's store, in its folder. What is not the group's matter is as with one server alone. */
final class RaftEngine implements Engine {
  private final EngineContext context;
  private final RocksDbEngine local;
  private final RaftOptions options;

  /**
   * @throws IOException with a sentence for people when a setting is missing
   */
  RaftEngine(EngineContext context) throws IOException {
    GrpcNetwork.quiet();
    this.context = context;
    this.local = new RocksDbEngine(context);
    Map<String, String> members = RaftConfigKeys.members(context.site());
    int minMs = RaftConfigKeys.ELECTION_TIMEOUT_MIN.in(context.site());
    int maxMs = RaftConfigKeys.ELECTION_TIMEOUT_MAX.in(context.site());
    RaftConfigKeys.requireOrder(minMs, maxMs);
    this.options =
        new RaftOptions(
            RaftConfigKeys.member(context.site(), members),
            members,
            String.valueOf(context.owner()),
            context.storeFolder(),
            new ElectionTimeout(minMs, maxMs),
            RaftConfigKeys.security(context.site()),
            RaftConfigKeys.copyBytesPerSecond(context.site()));
  }

  @Override
  public String place() {
    return local.place();
  }

  @Override
  public boolean exists() {
    return local.exists();
  }

  @Override
  public void requireStore() throws IOException {
    local.requireStore();
  }

  @Override
  public void requireProtection() throws IOException {
    RaftConfigKeys.requireTls(options.security());
  }

  @Override
  public void format(boolean isForced) {
    local.format(isForced);
  }

  /** For a folder that has not taken part in a group yet: a member's files lack its log. */
  @Override
  public EngineStore open() {
    if (AppliedMark.isIn(options.folder())) {
      throw new StoreException(
          "The "
              + place()
              + " is one of three or more: what was written last is in their common log, and may not"
              + " be in this one. Start most of them, and ask those, see docs/ha.md");
    }
    boolean isNew = !exists();
    EngineStore store = local.open();
    if (isNew) {
      try {
        StoreOrigin.make(options.folder());
      } catch (IOException e) {
        store.close();
        throw new StoreException("Cannot write into the folder " + options.folder(), e);
      }
    }
    return store;
  }

  @Override
  public Optional<Replica> replica() throws IOException {
    OwnAddress.require(options);
    if (!AppliedMark.isIn(options.folder())) {
      Bootstrap.requireNewGroup(options);
    }
    return Optional.of(
        new RaftMember(
            options,
            context.tables(),
            local.options(),
            new GrpcNetwork(options.security()),
            System::nanoTime));
  }

  @Override
  public void bootstrap() throws IOException {
    Bootstrap.run(options);
  }

  @Override
  public Optional<CheckpointRestore> checkpointRestore() {
    return local.checkpointRestore().map(files -> new FilledAnew(files, options.folder()));
  }

  /** The store of a copy is another one than that which was copied, as both may go on. */
  private record FilledAnew(CheckpointRestore files, Path folder) implements CheckpointRestore {
    @Override
    public boolean isWhole(Path checkpoint) {
      return files.isWhole(checkpoint);
    }

    @Override
    public void restore(Path checkpoint) throws IOException {
      files.restore(checkpoint);
      StoreOrigin.make(folder);
    }
  }
}
