/**
 * Commands for NameNodes of which one leads. What they ask, NameNodes answer: no command here opens
 * a store.
 */
@NullMarked
package io.acaciafs.tools.raft;

import org.jspecify.annotations.NullMarked;
