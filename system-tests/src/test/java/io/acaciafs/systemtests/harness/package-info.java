/** Starts, kills, restarts and cleans up clusters for tests. */
package io.acaciafs.systemtests.harness;
