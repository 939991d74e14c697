/**
 * Delegation tokens: issued, renewed, cancelled and believed as HDFS does it, and kept as rows of
 * the store, so that they are the same for all NameNodes of a file system and outlive each of them.
 * {@link io.acaciafs.namenode.token.DelegationTokens} holds the rules; the rows are those of {@code
 * namespace.token}.
 */
@NullMarked
package io.acaciafs.namenode.token;

import org.jspecify.annotations.NullMarked;
