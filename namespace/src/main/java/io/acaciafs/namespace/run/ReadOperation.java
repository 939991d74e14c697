package io.acaciafs.namespace.run;

/**
 * An operation that only looks. What it answers was true at one moment, and may be lost by a crash
 * right after; an operation that changes something, or finds it changed already, answers only what
 * is durable.
 *
 * @param <T> its result
 */
public interface ReadOperation<T> extends NamespaceOperation<T> {}
