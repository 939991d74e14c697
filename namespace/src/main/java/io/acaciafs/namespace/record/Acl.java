package io.acaciafs.namespace.record;

import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.fs.permission.AclEntry;

/**
 * What an ACL says beyond the permission bits: owner, mask and others of the access ACL stand in
 * the bits, as in HDFS's AclFeature. Both lists are in HDFS's order and unmodifiable.
 *
 * @param access the named entries and that of the owning group; empty when the bits say all
 * @param defaults what a directory gives to its new entries, with owner, mask and others; may be
 *     empty
 */
public record Acl(List<AclEntry> access, List<AclEntry> defaults) {
  public static final Acl NONE = new Acl(List.of(), List.of());

  public Acl {
    access = List.copyOf(access);
    defaults = List.copyOf(defaults);
  }

  public boolean isEmpty() {
    return access.isEmpty() && defaults.isEmpty();
  }

  /** As getAclStatus shows them. */
  public List<AclEntry> entries() {
    List<AclEntry> entries = new ArrayList<>(access);
    entries.addAll(defaults);
    return entries;
  }
}
