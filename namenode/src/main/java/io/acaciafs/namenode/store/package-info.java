/**
 * The store of a file system before and beside a NameNode that serves it: its folder and the
 * cluster that it belongs to, the engine that the site has chosen, and what a tool does with a
 * store that no NameNode has open. {@link io.acaciafs.namenode.store.StoreEngine} is the way to all
 * of them.
 *
 * <p>No engine is named here: {@code io.acaciafs.kv.engine} finds them. What rows mean is said in
 * {@code namespace} and {@code blocks}.
 */
@NullMarked
package io.acaciafs.namenode.store;

import org.jspecify.annotations.NullMarked;
