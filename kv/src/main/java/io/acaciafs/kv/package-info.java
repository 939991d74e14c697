/**
 * The store contract that the file system is written against: an ordered map from byte keys to byte
 * values, in a few named tables, with optimistic transactions.
 *
 * <p>Here live the contract and its value types. How operations are run as transactions is in
 * {@code kv.run}, what engines have in common in {@code kv.engine}, the in-memory reference in
 * {@code kv.memory}. Nothing here knows what a file is.
 */
@NullMarked
package io.acaciafs.kv;

import org.jspecify.annotations.NullMarked;
