/**
 * Rows of blocks written in bulk: from an image and from a backup.
 *
 * <p>Nothing here runs beside a NameNode that serves.
 */
@NullMarked
package io.acaciafs.blocks.load;

import org.jspecify.annotations.NullMarked;
