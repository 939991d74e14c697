/**
 * The scale-out engine: the store contract on a stock HBase cluster, with no code of ours inside
 * it.
 *
 * <p>All tables of a store are one HBase table ({@link io.acaciafs.kv.hbase.RowKeys}). A row has
 * one cell that is its value, or its lock, and cells of counters ({@link
 * io.acaciafs.kv.hbase.RowCell}, {@link io.acaciafs.kv.hbase.RowState}). A transaction whose rows
 * lie in one region is one conditional request ({@link io.acaciafs.kv.hbase.RegionRequest}); any
 * other locks its rows, checks its guards and commits by one record ({@link
 * io.acaciafs.kv.hbase.TwoPhaseCommit}); docs/internals/hbase-transactions.md has the proof. What
 * is under way in one region at a time shares requests ({@link io.acaciafs.kv.hbase.RegionQueues}),
 * and so do reads of one server ({@link io.acaciafs.kv.hbase.RowReads}). Nothing here knows what a
 * file is.
 */
package io.acaciafs.kv.hbase;
