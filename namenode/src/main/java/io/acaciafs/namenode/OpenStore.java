package io.acaciafs.namenode;

import io.acaciafs.kv.engine.EngineStore;
import io.acaciafs.kv.engine.ReplicaStatus;
import io.acaciafs.namenode.check.Comparison;
import io.acaciafs.namenode.ha.Leadership;
import io.acaciafs.namenode.members.Members;
import io.acaciafs.namenode.store.StoreEngine;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A store that this process may serve.
 *
 * @param members all NameNodes that serve it at this time
 * @param leadership why this one does
 * @param replica its part among those that each have a whole store; null where this one is alone
 *     with it, or shares it
 * @param comparison of its store with those of the others; {@link Comparison#NONE} where the
 *     replica is null
 */
record OpenStore(
    StoreEngine engine,
    EngineStore store,
    Members members,
    Leadership leadership,
    @Nullable Supplier<ReplicaStatus> replica,
    Comparison comparison) {}
