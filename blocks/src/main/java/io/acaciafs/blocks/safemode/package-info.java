/**
 * Safe mode: when the namespace may change, and the count of safe blocks that decides it.
 *
 * <p>Nothing here refuses calls; the NameNode asks {@link io.acaciafs.blocks.safemode.SafeMode}.
 */
@NullMarked
package io.acaciafs.blocks.safemode;

import org.jspecify.annotations.NullMarked;
