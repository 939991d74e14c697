/**
 * The NameNode daemon: opens the store, wires namespace and blocks together and answers HDFS's
 * protocols with them. {@link io.acaciafs.namenode.NameNode} is the whole process; this package
 * starts, connects and ends its parts, and no other package knows it.
 *
 * <p>A call comes from the module {@code rpc} to a class of {@code calls} or {@code admin}, which
 * {@code reply} helps to run it and {@code encode} to write what is answered. {@code store} opens
 * what is served, {@code backup} copies it, {@code members} knows the other NameNodes that serve
 * it. HTTP is in {@code webhdfs}, {@code fsck}, {@code check}, {@code image} and {@code monitor},
 * by way of {@code local} where it calls this NameNode's own protocols; the audit log in {@code
 * audit}.
 *
 * <p>No rule of the file system lives here: what a call means is said in {@code namespace} and
 * {@code blocks}.
 */
@NullMarked
package io.acaciafs.namenode;

import org.jspecify.annotations.NullMarked;
