/**
 * Counts what is below directories, on many threads, with a cache for large directories.
 *
 * <p>How HDFS reports the totals is the business of {@code op.quota}.
 */
@NullMarked
package io.acaciafs.namespace.summary;

import org.jspecify.annotations.NullMarked;
