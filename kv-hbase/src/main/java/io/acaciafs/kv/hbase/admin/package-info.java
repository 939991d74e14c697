/**
 * The HBase table as a whole: making, checking, copying and removing it, and its snapshots.
 *
 * <p>Nothing here reads or writes rows.
 */
package io.acaciafs.kv.hbase.admin;
