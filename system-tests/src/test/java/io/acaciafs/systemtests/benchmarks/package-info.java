/**
 * Hadoop's own benchmarks, small: not for their figures but because they use a NameNode as nothing
 * else does, and say when an operation failed.
 */
package io.acaciafs.systemtests.benchmarks;
