package io.acaciafs.namespace.settings;

/**
 * Who may set storage policies.
 *
 * @param enabled dfs.storage.policy.enabled
 * @param superuserOnly dfs.storage.policy.permissions.superuser-only
 */
public record StoragePolicyAccess(boolean enabled, boolean superuserOnly) {}
