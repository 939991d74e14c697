/**
 * The stored format: keys and columns of the HBase table, the cells of a row, and the conditional
 * request that changes rows of one region.
 *
 * <p>{@link io.acaciafs.kv.hbase.schema.RowKeys} places rows, {@link
 * io.acaciafs.kv.hbase.schema.RowState} decodes a row, {@link
 * io.acaciafs.kv.hbase.schema.RegionRequest} encodes conditions and changes.
 *
 * <p>Nothing here sends a request.
 */
@NullMarked
package io.acaciafs.kv.hbase.schema;

import org.jspecify.annotations.NullMarked;
