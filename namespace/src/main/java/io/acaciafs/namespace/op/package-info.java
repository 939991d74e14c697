/**
 * One class an operation: what it reads and guards, what it writes, how it refuses. They are values
 * that may run several times, so they keep no state between runs.
 *
 * <p>Exceptions and their texts are HDFS's, as clients match on them.
 */
package io.acaciafs.namespace.op;
