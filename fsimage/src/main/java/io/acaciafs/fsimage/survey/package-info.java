/**
 * The first pass over an image: which inodes Acacia can take, how many there are, and what it
 * refuses.
 *
 * <p>Nothing here writes.
 */
package io.acaciafs.fsimage.survey;
