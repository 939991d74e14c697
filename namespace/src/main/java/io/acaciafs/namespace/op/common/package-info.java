/**
 * Rules that operations of several packages share: files under construction, sizes of files,
 * reserved directories.
 *
 * <p>No operation is here.
 */
@NullMarked
package io.acaciafs.namespace.op.common;

import org.jspecify.annotations.NullMarked;
