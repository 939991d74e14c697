/**
 * The tree of directories, files and symbolic links, written against the key-value contract and
 * nothing else.
 *
 * <p>{@link io.acaciafs.namespace.Namespace} is what others see of it. It gives operations to
 * {@link io.acaciafs.namespace.run.OperationRunner}, which says the life of an operation step by
 * step. Each operation is a class of its own in {@code op} and works on a {@link
 * io.acaciafs.namespace.tree.Tree}. Nothing here knows DataNodes, engines or the wire: blocks are
 * asked for through {@link io.acaciafs.namespace.context.FileBlocks}.
 *
 * <p>The packages below, from the bottom up; each uses those above it in this list alone:
 *
 * <ul>
 *   <li>{@code record} - stored rows and keys
 *   <li>{@code settings} - values of the configuration
 *   <li>{@code lease} - leases of clients on files, and of this process on directories
 *   <li>{@code context} - what one attempt of an operation works on
 *   <li>{@code directory} - entries of directories and their buckets
 *   <li>{@code path} - paths and the inodes along them
 *   <li>{@code permission} - who may do what
 *   <li>{@code quota} - the use of quotas
 *   <li>{@code lookup} - from paths to inodes, by way of a cache
 *   <li>{@code summary} - counts of whole subtrees
 *   <li>{@code tree} - the typed view of one transaction, for operations
 *   <li>{@code run} - the life of an operation: attempts, repeated calls, directory leases, commit
 *   <li>{@code op} - the operations, in packages by what they are about
 * </ul>
 *
 * <p>{@code background} and {@code check} use {@link io.acaciafs.namespace.Namespace} from outside.
 */
@NullMarked
package io.acaciafs.namespace;

import org.jspecify.annotations.NullMarked;
