/**
 * Hadoop's own tests of HDFS, unmodified: {@code org.apache.hadoop.hdfs.MiniDFSCluster} of this
 * module starts the NameNode under test for them. Each class here runs the one that it extends.
 */
package io.acaciafs.systemtests.hdfs;
