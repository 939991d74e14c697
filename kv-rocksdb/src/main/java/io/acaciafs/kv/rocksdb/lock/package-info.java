/**
 * Locks and versions of rows in memory, by which transactions detect conflicts.
 *
 * <p>Nothing here knows what is in a row.
 */
@NullMarked
package io.acaciafs.kv.rocksdb.lock;

import org.jspecify.annotations.NullMarked;
