/**
 * Operations on the leases of files that are being written: recovery, release, and the list of open
 * files.
 *
 * <p>Which lease has run out is decided in {@code namespace.lease}.
 */
@NullMarked
package io.acaciafs.namespace.op.lease;

import org.jspecify.annotations.NullMarked;
