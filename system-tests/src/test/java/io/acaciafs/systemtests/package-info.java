/**
 * Whole clusters under test: a NameNode in a process of its own, real DataNodes, real clients.
 *
 * <p>Each class here states one promise to users. What starts and stops clusters lives in {@code
 * harness}, Hadoop's own suites in {@code suites}, its tests of HDFS in {@code hdfs}. Nothing here
 * may reach into a NameNode but through its ports and its folder. With {@code
 * -Dacacia.under-test=hadoop} the same tests run against Hadoop's own NameNode.
 */
package io.acaciafs.systemtests;
