/**
 * The HBase table as a whole: making, checking, copying and removing it, and its snapshots.
 *
 * <p>Nothing here reads or writes rows.
 */
@NullMarked
package io.acaciafs.kv.hbase.admin;

import org.jspecify.annotations.NullMarked;
