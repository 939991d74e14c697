/**
 * Reads of rows and of pages of rows.
 *
 * <p>Reads of one server share requests ({@link io.acaciafs.kv.hbase.read.ReadQueues}); {@link
 * io.acaciafs.kv.hbase.read.ReadRetries} repeats a read whose region moved. {@link
 * io.acaciafs.kv.hbase.read.TableClient} is what the packages above read and write by.
 *
 * <p>A row is read as it is stored. What a lock in it means is known to package {@code lock}.
 */
@NullMarked
package io.acaciafs.kv.hbase.read;

import org.jspecify.annotations.NullMarked;
