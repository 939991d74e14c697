/**
 * Clients that are not Hadoop's, in processes of their own.
 *
 * <p>Their scripts lie in {@code src/test/clients} and can be run by hand against any HDFS. Here
 * they run against a cluster, and what they leave behind is checked with Hadoop's client.
 */
package io.acaciafs.systemtests.clients;
