/**
 * Thousands of DataNodes on a few threads. They exist only in what they say: they register, send
 * heartbeats and reports to all NameNodes as Hadoop's do, and hold no data. What they cost the
 * NameNodes is measured by {@link io.acaciafs.bench.fleet.DatanodeCosts}.
 */
@NullMarked
package io.acaciafs.bench.fleet;

import org.jspecify.annotations.NullMarked;
