package io.acaciafs.namespace.settings;

/**
 * Who may do everything.
 *
 * @param owner user that the NameNode runs as; owns the root of a new namespace
 * @param superGroup dfs.permissions.superusergroup
 * @param isEnabled dfs.permissions.enabled
 */
public record PermissionSettings(String owner, String superGroup, boolean isEnabled) {}
