/**
 * The scale-out engine: the store contract on a stock HBase cluster, with no code of ours inside
 * it.
 *
 * <p>All tables of a store are one HBase table. A transaction whose rows lie in one region is one
 * conditional request; any other locks its rows, checks its guards and commits by one record.
 * docs/internals/hbase-transactions.md has the protocol and the proof.
 *
 * <p>The packages below, from the bottom up; each uses those above it in this list alone:
 *
 * <ul>
 *   <li>{@code schema} - keys, columns and cells of the table, and the conditional request
 *   <li>{@code client} - connections, outcomes, limits
 *   <li>{@code region} - which server has which region, and whether it may be believed
 *   <li>{@code read} - reads of rows and pages, which share requests
 *   <li>{@code lock} - rows that transactions have locked
 *   <li>{@code fence} - fencing tokens
 *   <li>{@code commit} - commits and validation
 *   <li>{@code transaction} - transactions and scans of the contract
 *   <li>{@code admin} - the table as a whole; uses {@code schema} and {@code client} alone
 *   <li>{@code load} - rows in bulk; uses {@code schema} and {@code client} alone
 * </ul>
 *
 * <p>{@code local} starts a small HBase on this machine. The engine and its open store are here.
 * Nothing here knows what a file is.
 */
@NullMarked
package io.acaciafs.kv.hbase;

import org.jspecify.annotations.NullMarked;
