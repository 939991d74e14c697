package io.acaciafs.namespace.directory;

import java.util.List;

/**
 * Some entries of a directory, in HDFS's order.
 *
 * @param hasMore whether there are entries behind the last one
 */
public record Entries(List<NamedInode> list, boolean hasMore) {}
