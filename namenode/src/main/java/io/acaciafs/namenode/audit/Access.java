package io.acaciafs.namenode.audit;

import org.jspecify.annotations.Nullable;

/**
 * What a call has done with one path, or two.
 *
 * @param allowed false: the access was refused, or there was nothing to delete
 * @param command HDFS's name of the operation
 * @param source null: no path
 * @param destination null: no second path
 */
public record Access(
    boolean allowed, String command, @Nullable String source, @Nullable String destination) {}
