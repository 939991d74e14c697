/**
 * The NameNode daemon: opens the store, wires namespace and blocks together and answers HDFS's
 * protocols with them. {@link io.acaciafs.namenode.NameNode} is the whole process; the classes
 * named {@code ...Calls} translate between Hadoop's protobuf messages and operations.
 *
 * <p>No rule of the file system lives here: what a call means is said in {@code namespace} and
 * {@code blocks}.
 */
package io.acaciafs.namenode;
