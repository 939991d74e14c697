/**
 * A local HBase of real processes, from the published artifacts: ZooKeeper, a master, region
 * servers, and HDFS below them when there is more than one. For tests and for trying out; nothing
 * of it is part of a store.
 */
@NullMarked
package io.acaciafs.kv.hbase.local;

import org.jspecify.annotations.NullMarked;
