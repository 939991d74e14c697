/**
 * {@code hdfs fsck} from the NameNode's side: walks files as the user that asks, compares their
 * blocks with what DataNodes hold, and reports in HDFS's words. It asks the namespace through
 * HDFS's client interface and knows blocks by {@link io.acaciafs.blocks.BlockInspector}; it changes
 * something only with {@code -move}, {@code -delete} and {@code -replicate}.
 */
@NullMarked
package io.acaciafs.namenode.fsck;

import org.jspecify.annotations.NullMarked;
