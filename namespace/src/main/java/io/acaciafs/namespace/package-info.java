/**
 * The tree of directories, files and symbolic links, written against the key-value contract and
 * nothing else.
 *
 * <p>{@link io.acaciafs.namespace.Namespace} runs operations; each is a class of its own in {@code
 * namespace.op} and works on a {@link io.acaciafs.namespace.Tree}, the typed view of one
 * transaction. What rows look like is known to {@code namespace.record} alone. Nothing here knows
 * DataNodes, engines or the wire: blocks are asked for through {@link
 * io.acaciafs.namespace.FileBlocks}.
 */
package io.acaciafs.namespace;
