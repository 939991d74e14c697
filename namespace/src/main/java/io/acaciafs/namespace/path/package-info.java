/**
 * Paths, the names in them and the inodes along them, walked row by row.
 *
 * <p>What is cached of paths, and whether a caller may walk them, is the business of {@code lookup}
 * and {@code permission}.
 */
@NullMarked
package io.acaciafs.namespace.path;

import org.jspecify.annotations.NullMarked;
