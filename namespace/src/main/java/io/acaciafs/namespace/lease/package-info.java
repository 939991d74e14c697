/**
 * What clients and processes hold for a while: the leases of clients on files that they write, and
 * the leases of this process on directories that it may use without asking the store.
 *
 * <p>Memory and its rules alone: nothing here reads a row or knows a path.
 */
@NullMarked
package io.acaciafs.namespace.lease;

import org.jspecify.annotations.NullMarked;
