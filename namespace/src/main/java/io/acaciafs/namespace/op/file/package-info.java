/**
 * Operations on files as a whole: create, append, truncate, concat, complete, and reads of their
 * blocks.
 *
 * <p>Operations on single blocks are in {@code op.block}.
 */
@NullMarked
package io.acaciafs.namespace.op.file;

import org.jspecify.annotations.NullMarked;
