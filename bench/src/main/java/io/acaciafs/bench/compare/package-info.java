/**
 * Acacia against Hadoop's NameNode: starts both on this machine, measures them in turn, and shows
 * the ratios. Knows the two programs by their commands only.
 */
@NullMarked
package io.acaciafs.bench.compare;

import org.jspecify.annotations.NullMarked;
