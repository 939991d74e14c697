/**
 * Benchmarks of NameNodes, Acacia's or Hadoop's: what is asked for, what comes out, and how it is
 * shown. The calls are made by {@code client}, chosen by {@code workload}; {@code compare} runs two
 * servers against each other, {@code scale} one service on more and more servers, {@code echo} is
 * the limit, {@code datanode} gives files blocks, {@code load} fills a store.
 *
 * <p>Nothing here but {@code load} knows how a server works inside: the rest speaks Hadoop RPC, and
 * looks at a process from outside.
 */
@NullMarked
package io.acaciafs.bench;

import org.jspecify.annotations.NullMarked;
