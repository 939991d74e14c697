/**
 * What was acknowledged is there after NameNodes, DataNodes and region servers of HBase were
 * killed, stopped or cut off, or regions moved, in the middle of load.
 */
package io.acaciafs.systemtests.kill;
