/**
 * What happens on HBase when things go wrong that nobody is killed for: renames that meet, regions
 * that move, wrong tables and clocks. Servers that are killed are in {@code kill}.
 */
package io.acaciafs.systemtests.faults;
