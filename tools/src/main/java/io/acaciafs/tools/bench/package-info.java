/**
 * The benchmarks as commands.
 *
 * <p>What they measure is in the module {@code bench}.
 */
@NullMarked
package io.acaciafs.tools.bench;

import org.jspecify.annotations.NullMarked;
