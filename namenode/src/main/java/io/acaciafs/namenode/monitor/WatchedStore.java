package io.acaciafs.namenode.monitor;

import io.acaciafs.kv.Table;
import io.acaciafs.kv.engine.EngineStore;
import java.util.Set;

/**
 * The store of a NameNode that is watched.
 *
 * @param engine the name of its engine
 * @param place where it is, for people
 * @param tables all that it has
 * @param opened the store itself
 */
public record WatchedStore(String engine, String place, Set<Table> tables, EngineStore opened) {}
