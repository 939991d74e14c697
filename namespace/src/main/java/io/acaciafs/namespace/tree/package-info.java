/**
 * The typed view of one transaction that operations work on: {@code Tree} is the front of the parts
 * in the packages below. Here entries are added, moved, changed and removed, with all rows that
 * belong to them.
 *
 * <p>What an operation may do, and how it refuses, is the business of {@code op}; when it runs,
 * that of {@code run}.
 */
@NullMarked
package io.acaciafs.namespace.tree;

import org.jspecify.annotations.NullMarked;
