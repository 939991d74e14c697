package io.acaciafs.kv.engine;

/**
 * What a commit log has done since the store was opened.
 *
 * @param commits that wrote something
 * @param syncs how often the log was synced; commits share syncs
 */
public record LogCounts(long commits, long syncs) {}
