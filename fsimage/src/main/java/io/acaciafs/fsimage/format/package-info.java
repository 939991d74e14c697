/**
 * The format of an image: sections, strings, inodes as HDFS's protobuf messages, and the folder of
 * HDFS's NameNode where images lie.
 *
 * <p>Nothing here knows the store.
 */
@NullMarked
package io.acaciafs.fsimage.format;

import org.jspecify.annotations.NullMarked;
