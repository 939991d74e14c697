/** A real YARN, as the guide for sites sets it up, with Acacia as its file system. */
package io.acaciafs.systemtests.yarn;
