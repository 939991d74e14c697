/**
 * One class an operation: what it reads and guards, what it writes, how it refuses. They are values
 * that may run several times, so they keep no state between runs.
 *
 * <p>Exceptions and their texts are HDFS's, as clients match on them.
 *
 * <p>The packages below, from the bottom up; each uses those above it in this list alone:
 *
 * <ul>
 *   <li>{@code common} - rules that several packages share
 *   <li>{@code attribute} - permission, owner, times, replication, ACLs, extended attributes
 *   <li>{@code policy} - storage policies and erasure coding policies
 *   <li>{@code quota} - quotas and content summaries
 *   <li>{@code lease} - leases of files that are being written
 *   <li>{@code directory} - entries of directories: create, rename, delete, status, listings
 *   <li>{@code file} - files as a whole: create, append, truncate, concat, complete, read
 *   <li>{@code block} - blocks of a file that is being written
 * </ul>
 */
@NullMarked
package io.acaciafs.namespace.op;

import org.jspecify.annotations.NullMarked;
