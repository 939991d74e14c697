/**
 * What members ask each other beside Ratis, on Ratis's own port: a request and its answer, both
 * bytes.
 */
@NullMarked
package io.acaciafs.kv.raft.call;

import org.jspecify.annotations.NullMarked;
