/**
 * Operations on attributes of an inode: permission, owner, times, replication, ACLs and extended
 * attributes.
 *
 * <p>Policies and quotas have packages of their own.
 */
@NullMarked
package io.acaciafs.namespace.op.attribute;

import org.jspecify.annotations.NullMarked;
