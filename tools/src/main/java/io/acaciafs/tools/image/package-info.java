/**
 * Import from and export to HDFS's image.
 *
 * <p>The format is in the module {@code fsimage}.
 */
package io.acaciafs.tools.image;
