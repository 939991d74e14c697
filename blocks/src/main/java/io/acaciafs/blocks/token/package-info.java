/**
 * What DataNodes ask of clients before they let them read or write a block: tokens, the keys that
 * sign them, and keys for encrypted data.
 *
 * <p>{@link io.acaciafs.blocks.token.BlockTokens} is what others use. The keys are one row of the
 * store, the same for all NameNodes that serve it.
 *
 * <p>Nothing here knows DataNodes or which blocks there are. No secret leaves this package but for
 * DataNodes and Hadoop's balancer and mover, and none is ever part of a text.
 */
@NullMarked
package io.acaciafs.blocks.token;

import org.jspecify.annotations.NullMarked;
