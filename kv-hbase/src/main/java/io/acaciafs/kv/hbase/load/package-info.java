/**
 * Rows in bulk: HBase's own files, written by this process and handed to the region servers.
 *
 * <p>The only package that uses HBase's server library. A NameNode never loads it.
 */
@NullMarked
package io.acaciafs.kv.hbase.load;

import org.jspecify.annotations.NullMarked;
