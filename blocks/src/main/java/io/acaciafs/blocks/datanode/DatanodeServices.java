package io.acaciafs.blocks.datanode;

import io.acaciafs.blocks.settings.BlockContext;

/**
 * The parts that know DataNodes, made for each other. Immutable.
 *
 * @param version of what is known of DataNodes
 * @param changes tells other NameNodes of changes
 * @param hearing keeps time in which nobody could be heard from counting as silence
 * @param watch notes failed storages and dead DataNodes
 */
public record DatanodeServices(
    NodeVersion version,
    NodeChanges changes,
    Ownership ownership,
    DatanodeRegistry registry,
    Liveness liveness,
    Hearing hearing,
    StoredReplicaStates replicaStates,
    StorageWatch watch) {

  /**
   * Reads all DataNodes from the store.
   *
   * @param nameNodes all that serve the store
   */
  public static DatanodeServices of(BlockContext context, NameNodes nameNodes) {
    NodeVersion version = new NodeVersion();
    NodeChanges changes = new NodeChanges(nameNodes);
    Ownership ownership = new Ownership(nameNodes, context.runner(), changes);
    DatanodeRegistry registry =
        new DatanodeRegistry(context.runner(), context.clock(), changes, ownership, version);
    Liveness liveness = new Liveness(context.clock(), context.settings(), version);
    return new DatanodeServices(
        version,
        changes,
        ownership,
        registry,
        liveness,
        new Hearing(context, registry, liveness, version, ownership),
        new StoredReplicaStates(registry, liveness),
        new StorageWatch(context.runner(), registry, liveness, changes, ownership));
  }
}
