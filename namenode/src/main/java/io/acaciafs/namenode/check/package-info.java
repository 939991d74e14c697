/**
 * {@code acacia check}: whether the rows of a store agree, of namespace and blocks together. Joins
 * the questions of both, prints what is found, and serves it by HTTP. It knows stores, and nothing
 * of a NameNode that may run on one.
 */
@NullMarked
package io.acaciafs.namenode.check;

import org.jspecify.annotations.NullMarked;
