/**
 * The stored form of the namespace: typed keys, records and the ranges of ids; {@code codec} has
 * how inodes become bytes. {@code docs/format.md} describes the same for readers of other
 * languages. Nobody else builds keys or parses values of these tables.
 */
@NullMarked
package io.acaciafs.namespace.record;

import org.jspecify.annotations.NullMarked;
