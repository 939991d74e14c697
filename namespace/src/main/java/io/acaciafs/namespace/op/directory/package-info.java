/**
 * Operations on entries of directories: create a directory or a link, rename, delete, status and
 * listings.
 *
 * <p>Operations on the content of files are in {@code op.file} and {@code op.block}.
 */
@NullMarked
package io.acaciafs.namespace.op.directory;

import org.jspecify.annotations.NullMarked;
