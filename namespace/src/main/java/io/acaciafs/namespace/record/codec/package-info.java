/**
 * How inodes become bytes and are read again: with the generated classes, by hand where it is fast,
 * and with the dictionary of names. What the records are, and their keys, is in the package above.
 */
@NullMarked
package io.acaciafs.namespace.record.codec;

import org.jspecify.annotations.NullMarked;
