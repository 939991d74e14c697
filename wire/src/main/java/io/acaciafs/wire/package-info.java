/**
 * The wire format of Protocol Buffers, read and written by hand where the generated classes cost
 * too much: rows of the store that each operation reads or writes, headers of calls, replies of
 * reads.
 *
 * <p>Nothing here knows a message: subclasses and callers do.
 */
@NullMarked
package io.acaciafs.wire;

import org.jspecify.annotations.NullMarked;
