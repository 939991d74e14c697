/**
 * Operations on the blocks of a file that is being written: allocation, pipelines, and the end of a
 * block recovery.
 *
 * <p>Where replicas go is decided by the block manager, behind {@code FileBlocks}.
 */
@NullMarked
package io.acaciafs.namespace.op.block;

import org.jspecify.annotations.NullMarked;
