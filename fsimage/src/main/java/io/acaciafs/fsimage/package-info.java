/**
 * HDFS's own image of a namespace (fsimage, the protobuf format of Hadoop 2.4 and newer): {@link
 * io.acaciafs.fsimage.ImageImport} fills a store from one, {@link io.acaciafs.fsimage.ImageExport}
 * writes one from a store.
 *
 * <p>Everything streams: memory does not grow with the number of files. An import sorts what does
 * not fit in {@link io.acaciafs.fsimage.sort.RowSorter}. Nothing here knows folders of an engine,
 * or serves anybody: the store belongs to this module alone meanwhile.
 *
 * <p>Below it, from the bottom up: {@code sort}, {@code format} and {@code survey}.
 *
 * <p>Source of the format: HDFS's fsimage.proto and the classes FSImageFormatProtobuf and
 * FSImageFormatPBINode.
 */
@NullMarked
package io.acaciafs.fsimage;

import org.jspecify.annotations.NullMarked;
