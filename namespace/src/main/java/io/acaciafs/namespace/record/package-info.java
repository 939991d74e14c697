/**
 * The stored form of the namespace: typed keys, records and their codec, the dictionary of names
 * and the ranges of ids. {@code docs/format.md} describes the same for readers of other languages.
 * Nobody else builds keys or parses values of these tables.
 */
@NullMarked
package io.acaciafs.namespace.record;

import org.jspecify.annotations.NullMarked;
