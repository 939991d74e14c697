/**
 * What a benchmark does: which calls each slot makes, and what must be there before.
 *
 * <p>Must not know how calls travel, and measures nothing.
 */
@NullMarked
package io.acaciafs.bench.workload;

import org.jspecify.annotations.NullMarked;
