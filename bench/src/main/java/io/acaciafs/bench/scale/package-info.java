/**
 * How throughput grows with the number of servers: an HBase of many region servers and the
 * NameNodes on it, on one machine, each pair with the same small share of the processors, so that
 * one more adds what it would add as a machine of its own. What is measured is the load of {@link
 * io.acaciafs.bench.workload}; what is here starts the servers, deals out the table, and judges
 * whether they were what limited it.
 */
@NullMarked
package io.acaciafs.bench.scale;

import org.jspecify.annotations.NullMarked;
