/**
 * The benchmarks as commands.
 *
 * <p>What they measure is in the module {@code bench}.
 */
package io.acaciafs.tools.bench;
