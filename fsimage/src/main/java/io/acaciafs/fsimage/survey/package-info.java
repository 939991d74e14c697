/**
 * The first pass over an image: which inodes Acacia can take, how many there are, and what it
 * refuses.
 *
 * <p>Nothing here writes.
 */
@NullMarked
package io.acaciafs.fsimage.survey;

import org.jspecify.annotations.NullMarked;
