/**
 * The methods and protocols that serve administrators rather than files: safe mode, figures of the
 * cluster, refreshing and reconfiguring, high availability, users and groups, and which user may
 * use which protocol.
 */
@NullMarked
package io.acaciafs.namenode.admin;

import org.jspecify.annotations.NullMarked;
