/**
 * Import from and export to HDFS's image.
 *
 * <p>The format is in the module {@code fsimage}.
 */
@NullMarked
package io.acaciafs.tools.image;

import org.jspecify.annotations.NullMarked;
