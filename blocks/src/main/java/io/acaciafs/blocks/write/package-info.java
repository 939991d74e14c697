/**
 * The block operations of clients: allocate, complete, locate, update a pipeline, recover a block
 * of a writer that is gone.
 *
 * <p>They run inside the transactions of the namespace ({@link
 * io.acaciafs.blocks.write.BlockOperations}).
 *
 * <p>Nothing here knows paths or leases of files.
 */
@NullMarked
package io.acaciafs.blocks.write;

import org.jspecify.annotations.NullMarked;
