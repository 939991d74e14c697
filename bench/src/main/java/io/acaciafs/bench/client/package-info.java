/**
 * A client of Hadoop RPC that costs as little as can be, so that what is measured is the server:
 * requests are patched into bytes made beforehand, replies are read by call id, status and length.
 *
 * <p>Must not know which operations a benchmark consists of; those are in {@code workload}.
 */
@NullMarked
package io.acaciafs.bench.client;

import org.jspecify.annotations.NullMarked;
