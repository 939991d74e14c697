/**
 * How many servers a site needs, from what one operation was measured to cost. {@link
 * io.acaciafs.model.Site} is what a site has and does, {@link io.acaciafs.model.Costs} what was
 * measured; {@link io.acaciafs.model.Planner} makes an {@link io.acaciafs.model.Plan} of both.
 * {@link io.acaciafs.model.QueueNetwork} has the formulas for latencies, and {@link
 * io.acaciafs.model.Simulation} plays the same call by call. Knows nothing of the other modules:
 * figures come from files.
 */
@NullMarked
package io.acaciafs.model;

import org.jspecify.annotations.NullMarked;
