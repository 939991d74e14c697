/**
 * Hadoop's own commands as {@code acacia} runs them: the shell, dfsadmin, fsck, the balancer and
 * others.
 *
 * <p>Their arguments are Hadoop's and pass through as they are.
 */
@NullMarked
package io.acaciafs.tools.hadoop;

import org.jspecify.annotations.NullMarked;
