/**
 * Numbers inside keys and values: sums that saturate, and hashes that are the same everywhere. What
 * a record means lives with its owner.
 */
@NullMarked
package io.acaciafs.kv.value;

import org.jspecify.annotations.NullMarked;
