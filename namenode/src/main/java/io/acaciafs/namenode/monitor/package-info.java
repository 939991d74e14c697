/**
 * What a NameNode shows of itself by HTTP and JMX: beans under HDFS's names, metrics, health, and
 * what the pages ask for.
 *
 * <p>Reads only, and only what is counted already or cheap to count. Nothing here is on the way of
 * a call.
 */
@NullMarked
package io.acaciafs.namenode.monitor;

import org.jspecify.annotations.NullMarked;
