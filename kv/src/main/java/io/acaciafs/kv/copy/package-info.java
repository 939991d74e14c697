/**
 * Copies all rows of a store into one of any engine, and compares the two.
 *
 * <p>Nothing here knows what a row means, or which engines there are.
 */
@NullMarked
package io.acaciafs.kv.copy;

import org.jspecify.annotations.NullMarked;
