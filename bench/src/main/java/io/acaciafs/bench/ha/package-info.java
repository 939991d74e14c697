/**
 * Several NameNodes that stand in for each other, Acacia's and Hadoop's: their processes, what an
 * operation costs all of them, and how long clients wait when the one that serves is gone. What one
 * NameNode costs is in {@code compare}.
 */
@NullMarked
package io.acaciafs.bench.ha;

import org.jspecify.annotations.NullMarked;
