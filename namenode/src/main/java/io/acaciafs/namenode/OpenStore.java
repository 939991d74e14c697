package io.acaciafs.namenode;

import io.acaciafs.kv.engine.EngineStore;
import io.acaciafs.namenode.ha.Leadership;
import io.acaciafs.namenode.members.Members;
import io.acaciafs.namenode.store.StoreEngine;

/**
 * A store that this process may serve.
 *
 * @param members all NameNodes that serve it at this time
 * @param leadership why this one does
 */
record OpenStore(StoreEngine engine, EngineStore store, Members members, Leadership leadership) {}
