/**
 * An external sort of rows, in memory as far as it goes and in runs on the disk beyond that.
 *
 * <p>Nothing here knows what a row means.
 */
@NullMarked
package io.acaciafs.fsimage.sort;

import org.jspecify.annotations.NullMarked;
