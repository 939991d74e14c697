/**
 * The coprocessor of a store's table: judges and writes transactions of a region, many in one call,
 * and reads rows, with the newest cells of rows that are in demand kept in memory. Runs in HBase's
 * region servers, loaded by the table that names {@link
 * io.acaciafs.hbase.coprocessor.RegionEndpoint}. Without it the same is done by HBase's own {@code
 * MultiRowMutationEndpoint} and reads; both may be used at the same time, as both lock rows by
 * HBase's locks.
 */
@NullMarked
package io.acaciafs.hbase.coprocessor;

import org.jspecify.annotations.NullMarked;
