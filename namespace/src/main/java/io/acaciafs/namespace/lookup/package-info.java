/**
 * From the path in a call to inodes: the cache of directories, the resolution of paths with
 * reserved names and links, and reading ahead what a path leads to.
 *
 * <p>Nothing here changes the tree.
 */
@NullMarked
package io.acaciafs.namespace.lookup;

import org.jspecify.annotations.NullMarked;
