/** Hadoop's own servers and tools between clients and file systems, in front of Acacia. */
package io.acaciafs.systemtests.gateways;
