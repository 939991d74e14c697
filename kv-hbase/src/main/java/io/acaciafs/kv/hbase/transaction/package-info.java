/**
 * Transactions and scans of the store contract: reads under guards, reads ahead, and reads that
 * wait on no thread.
 *
 * <p>Nothing here sends a write; package {@code commit} does at the end of a transaction.
 */
@NullMarked
package io.acaciafs.kv.hbase.transaction;

import org.jspecify.annotations.NullMarked;
