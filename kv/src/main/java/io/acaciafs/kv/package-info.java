/**
 * The store contract that the file system is written against: an ordered map from byte keys to byte
 * values, in a few named tables, with optimistic transactions.
 *
 * <p>Here live the contract, its value types and the {@link io.acaciafs.kv.TransactionRunner} that
 * re-runs an operation after a conflict, and how records in values are read by hand, and the hashes
 * that keys hold. No engine lives here but the in-memory reference in {@code kv.memory}, and
 * nothing here knows what a file is.
 */
@NullMarked
package io.acaciafs.kv;

import org.jspecify.annotations.NullMarked;
