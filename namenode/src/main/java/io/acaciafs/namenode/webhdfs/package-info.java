/**
 * WebHDFS: HDFS over HTTP. The operations, their parameters and the JSON are those of Hadoop's own
 * class for it, which calls this NameNode as any client does; only where data is, is answered here.
 */
@NullMarked
package io.acaciafs.namenode.webhdfs;

import org.jspecify.annotations.NullMarked;
