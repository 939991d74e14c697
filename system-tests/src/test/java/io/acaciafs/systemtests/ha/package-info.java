/** Three NameNodes by Raft: what unmodified clients and DataNodes see of failovers. */
package io.acaciafs.systemtests.ha;
