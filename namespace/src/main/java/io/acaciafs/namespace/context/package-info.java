/**
 * What one attempt of an operation works on: its transaction, its caller, new ids, and the rows of
 * entries read as inodes; and the class of the site, if there is one, that decides what the caller
 * may do. The parts of an operation in the packages above depend on {@code OperationContext}, and
 * it knows none of them.
 *
 * <p>No rule of HDFS and no path belongs here.
 */
@NullMarked
package io.acaciafs.namespace.context;

import org.jspecify.annotations.NullMarked;
