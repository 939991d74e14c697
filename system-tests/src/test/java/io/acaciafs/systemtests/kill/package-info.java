/** What was acknowledged is there after the NameNode was killed in the middle of load. */
package io.acaciafs.systemtests.kill;
