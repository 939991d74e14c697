/**
 * Calls of this NameNode's own protocols from inside the process: HDFS's client interface as
 * Hadoop's code wants it, for what comes over HTTP. What a call means stands where it stands for
 * RPC.
 */
@NullMarked
package io.acaciafs.namenode.local;

import org.jspecify.annotations.NullMarked;
