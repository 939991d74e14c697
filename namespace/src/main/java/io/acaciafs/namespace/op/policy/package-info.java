/**
 * Operations on the storage policy and the erasure coding policy of an inode.
 *
 * <p>What a policy means for the placement of replicas is the business of the block manager.
 */
@NullMarked
package io.acaciafs.namespace.op.policy;

import org.jspecify.annotations.NullMarked;
