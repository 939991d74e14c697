/**
 * The cluster of servers that keeps the store of NameNodes, where there is one: what is read of it,
 * how often, and how pages show it.
 */
@NullMarked
package io.acaciafs.namenode.monitor.cluster;

import org.jspecify.annotations.NullMarked;
