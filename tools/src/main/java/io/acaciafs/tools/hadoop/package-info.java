/**
 * Hadoop's own commands as {@code acacia} runs them: the shell, dfsadmin, fsck, the balancer and
 * others.
 *
 * <p>Their arguments are Hadoop's and pass through as they are.
 */
package io.acaciafs.tools.hadoop;
