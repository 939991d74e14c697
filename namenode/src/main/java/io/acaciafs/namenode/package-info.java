/**
 * The NameNode daemon: opens the store, wires namespace and blocks together and answers HDFS's
 * protocols with them. {@link io.acaciafs.namenode.NameNode} is the whole process; the classes
 * named {@code ...Calls} translate between Hadoop's protobuf messages and operations.
 *
 * <p>What stands beside the calls has packages of its own: the audit log in {@code audit}, HTTP in
 * {@code webhdfs}, {@code fsck} and {@code monitor}, by way of {@code local} where it asks this
 * NameNode itself, and in {@code members} which other NameNodes serve the same store.
 *
 * <p>No rule of the file system lives here: what a call means is said in {@code namespace} and
 * {@code blocks}.
 */
package io.acaciafs.namenode;
