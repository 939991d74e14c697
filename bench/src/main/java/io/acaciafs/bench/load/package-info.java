/**
 * A namespace of any size, written straight into an empty store in the order of its keys. How a row
 * looks is known by {@code namespace.record} and {@code blocks} alone.
 */
@NullMarked
package io.acaciafs.bench.load;

import org.jspecify.annotations.NullMarked;
