/** What was acknowledged is there after a NameNode or DataNode was killed in the middle of load. */
package io.acaciafs.systemtests.kill;
