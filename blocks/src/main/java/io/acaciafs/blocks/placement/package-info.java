/**
 * Where replicas go and in which order readers get them: racks, placement policies, storage
 * policies, favored nodes, load.
 *
 * <p>{@link io.acaciafs.blocks.placement.TargetChooser} is the entrance for writers and repairs,
 * {@link io.acaciafs.blocks.placement.ReaderOrder} that for readers.
 *
 * <p>Nothing here reads or writes rows; it decides from memory.
 */
@NullMarked
package io.acaciafs.blocks.placement;

import org.jspecify.annotations.NullMarked;
