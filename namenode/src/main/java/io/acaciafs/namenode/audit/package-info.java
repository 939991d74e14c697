/**
 * Which user asked for what, and was it allowed: the audit log in HDFS's format, and the counts
 * behind "top users". Takes calls from the RPC server when they have ended; knows nothing of how
 * they are answered.
 */
@NullMarked
package io.acaciafs.namenode.audit;

import org.jspecify.annotations.NullMarked;
