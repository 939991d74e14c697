package io.acaciafs.namespace.settings;

/**
 * Whether there are ACLs.
 *
 * @param enabled dfs.namenode.acls.enabled
 * @param posixInheritance dfs.namenode.posix.acl.inheritance.enabled
 */
public record AclSettings(boolean enabled, boolean posixInheritance) {}
