/**
 * The check of all stored rows of blocks and DataNodes against each other, for {@code acacia
 * check}.
 *
 * <p>It reads a store that nobody changes meanwhile. Nothing here repairs.
 */
@NullMarked
package io.acaciafs.blocks.check;

import org.jspecify.annotations.NullMarked;
