/**
 * The reference engine: every rule of the contract in a sorted map, with faults on demand.
 *
 * <p>Other parts are tested on it, and it says what the contract means where words leave room. It
 * models durability but keeps nothing beyond the process, and is not tuned.
 */
@NullMarked
package io.acaciafs.kv.memory;

import org.jspecify.annotations.NullMarked;
