/**
 * The life of an operation, from a call to its answer: the answer to a repeated call, attempts,
 * directory leases, the commit and what follows it. {@code OperationRunner} says it step by step.
 *
 * <p>No single operation is known here.
 */
@NullMarked
package io.acaciafs.namespace.run;

import org.jspecify.annotations.NullMarked;
