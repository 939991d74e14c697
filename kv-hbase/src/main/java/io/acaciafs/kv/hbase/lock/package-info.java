/**
 * Rows that transactions over several regions have locked.
 *
 * <p>{@link io.acaciafs.kv.hbase.lock.LockResolver} looks the transaction's record up and rolls the
 * row forward or back; {@link io.acaciafs.kv.hbase.lock.TransactionRecovery} does so for all that
 * dead processes left.
 *
 * <p>Nothing here commits a transaction.
 */
@NullMarked
package io.acaciafs.kv.hbase.lock;

import org.jspecify.annotations.NullMarked;
