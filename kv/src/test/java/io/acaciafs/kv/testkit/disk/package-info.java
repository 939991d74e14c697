/**
 * What the disk may hold after a loss of power: {@link io.acaciafs.kv.testkit.disk.DiskTrace}
 * records what a real process does to its folder, {@link io.acaciafs.kv.testkit.disk.PowerLosses}
 * makes the states of the disk from it, and a test looks at each. Knows nothing of stores.
 */
package io.acaciafs.kv.testkit.disk;
