/**
 * Which server has which region, whether the process may believe that server, and the row that the
 * process is bound to.
 *
 * <p>{@link io.acaciafs.kv.hbase.region.RegionLocator} finds a row's region, {@link
 * io.acaciafs.kv.hbase.region.Assignments} announces what was found to the other processes, {@link
 * io.acaciafs.kv.hbase.region.AssignmentProver} proves by a write that a server still had a region.
 * docs/internals/directory-leases.md has the proof.
 *
 * <p>Nothing here reads rows or knows transactions.
 */
@NullMarked
package io.acaciafs.kv.hbase.region;

import org.jspecify.annotations.NullMarked;
