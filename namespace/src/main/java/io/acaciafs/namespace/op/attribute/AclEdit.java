package io.acaciafs.namespace.op.attribute;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.hadoop.fs.permission.AclEntry;
import org.apache.hadoop.fs.permission.AclEntryScope;
import org.apache.hadoop.fs.permission.AclEntryType;
import org.apache.hadoop.fs.permission.FsAction;
import org.apache.hadoop.hdfs.protocol.AclException;
import org.jspecify.annotations.Nullable;

/**
 * Makes a new ACL of one that is whole (with owner, group, mask and others) and of what a client
 * asks for. Masks that nobody gave are the union of what they mask, and missing base entries of a
 * default ACL are copied from the access ACL. Source of rules and texts: HDFS's AclTransformation.
 */
final class AclEdit {
  private static final int MAX_ENTRIES = 32;

  private static final Set<AclEntryType> BASE =
      EnumSet.of(AclEntryType.USER, AclEntryType.GROUP, AclEntryType.OTHER);

  /** What an entry is about; in HDFS's order of entries. */
  private record Key(AclEntryScope scope, AclEntryType type, @Nullable String name)
      implements Comparable<Key> {
    private static final Comparator<Key> ORDER =
        Comparator.comparing(Key::scope)
            .thenComparing(Key::type)
            .thenComparing(Key::name, Comparator.nullsFirst(Comparator.naturalOrder()));

    private static Key of(AclEntry entry) {
      return new Key(entry.getScope(), entry.getType(), entry.getName());
    }

    private boolean isMasked() {
      return name != null || type == AclEntryType.GROUP;
    }

    @Override
    public int compareTo(Key other) {
      return ORDER.compare(this, other);
    }
  }

  private final TreeMap<Key, FsAction> entries = new TreeMap<>();
  private final Map<AclEntryScope, FsAction> masks = new EnumMap<>(AclEntryScope.class);
  private final Set<AclEntryScope> changed = EnumSet.noneOf(AclEntryScope.class);
  private final Set<AclEntryScope> maskChanged = EnumSet.noneOf(AclEntryScope.class);

  private AclEdit() {}

  /** Adds entries, and replaces those of the same scope, type and name. */
  static List<AclEntry> merge(List<AclEntry> existing, List<AclEntry> spec) throws AclException {
    AclEdit edit = new AclEdit();
    edit.keep(existing);
    edit.addAll(spec);
    return edit.finish();
  }

  /** Replaces the access ACL, the default ACL, or both: those that the spec has entries of. */
  static List<AclEntry> replace(List<AclEntry> existing, List<AclEntry> spec) throws AclException {
    AclEdit edit = new AclEdit();
    edit.addAll(spec);
    edit.keep(existing.stream().filter(entry -> !edit.changed.contains(entry.getScope())).toList());
    return edit.finish();
  }

  /** Removes the entries of the same scope, type and name, whatever they permit. */
  static List<AclEntry> remove(List<AclEntry> existing, List<AclEntry> spec) throws AclException {
    checkCount(spec);
    AclEdit edit = new AclEdit();
    edit.keep(existing);
    for (AclEntry entry : spec) {
      edit.remove(entry);
    }
    return edit.finish();
  }

  static List<AclEntry> removeDefaults(List<AclEntry> existing) throws AclException {
    AclEdit edit = new AclEdit();
    edit.keep(existing.stream().filter(entry -> entry.getScope() == AclEntryScope.ACCESS).toList());
    return edit.finish();
  }

  private void keep(List<AclEntry> existing) {
    for (AclEntry entry : existing) {
      if (entry.getType() == AclEntryType.MASK) {
        masks.put(entry.getScope(), entry.getPermission());
      } else {
        entries.put(Key.of(entry), entry.getPermission());
      }
    }
  }

  private void addAll(List<AclEntry> spec) throws AclException {
    checkCount(spec);
    Set<Key> seen = new TreeSet<>();
    for (AclEntry entry : spec) {
      if (!seen.add(Key.of(entry))) {
        throw new AclException("Invalid ACL: multiple entries with same scope, type and name.");
      }
      checkName(entry);
      changed.add(entry.getScope());
      if (entry.getType() == AclEntryType.MASK) {
        masks.put(entry.getScope(), entry.getPermission());
        maskChanged.add(entry.getScope());
      } else {
        entries.put(Key.of(entry), entry.getPermission());
      }
    }
  }

  private static void checkName(AclEntry entry) throws AclException {
    if (entry.getName() != null
        && (entry.getType() == AclEntryType.MASK || entry.getType() == AclEntryType.OTHER)) {
      throw new AclException("Invalid ACL: this entry type must not have a name: " + entry + ".");
    }
  }

  private void remove(AclEntry entry) {
    AclEntryScope scope = entry.getScope();
    if (entry.getType() == AclEntryType.MASK && entry.getName() == null) {
      if (masks.remove(scope) != null) {
        changed.add(scope);
        maskChanged.add(scope);
      }
    } else if (entries.remove(Key.of(entry)) != null) {
      changed.add(scope);
    }
  }

  private List<AclEntry> finish() throws AclException {
    copyBaseOfDefaults();
    for (AclEntryScope scope : AclEntryScope.values()) {
      addMask(scope);
    }
    List<AclEntry> acl = new ArrayList<>();
    entries.forEach(
        (key, permission) ->
            acl.add(
                new AclEntry.Builder()
                    .setScope(key.scope)
                    .setType(key.type)
                    .setName(key.name)
                    .setPermission(permission)
                    .build()));
    checkCount(acl);
    checkBase();
    return acl;
  }

  private boolean has(AclEntryScope scope) {
    return entries.keySet().stream().anyMatch(key -> key.scope == scope);
  }

  private void copyBaseOfDefaults() {
    if (!has(AclEntryScope.DEFAULT)) {
      return;
    }
    for (AclEntryType type : BASE) {
      FsAction permission = entries.get(new Key(AclEntryScope.ACCESS, type, null));
      if (permission != null) {
        entries.putIfAbsent(new Key(AclEntryScope.DEFAULT, type, null), permission);
      }
    }
  }

  /** A mask that was given stays; one whose scope changed otherwise is computed anew. */
  private void addMask(AclEntryScope scope) throws AclException {
    if (!has(scope)) {
      return;
    }
    boolean needed =
        entries.keySet().stream().anyMatch(key -> key.scope == scope && key.name != null);
    FsAction given = masks.get(scope);
    if (given == null && needed && maskChanged.contains(scope)) {
      throw new AclException("Invalid ACL: mask is required and cannot be deleted.");
    }
    FsAction mask = null;
    if (given != null && (!changed.contains(scope) || maskChanged.contains(scope))) {
      mask = given;
    } else if (needed || given != null) {
      mask = unionOfMasked(scope);
    }
    if (mask != null) {
      entries.put(new Key(scope, AclEntryType.MASK, null), mask);
    }
  }

  private FsAction unionOfMasked(AclEntryScope scope) {
    FsAction union = FsAction.NONE;
    for (Map.Entry<Key, FsAction> entry : entries.entrySet()) {
      if (entry.getKey().scope == scope && entry.getKey().isMasked()) {
        union = union.or(entry.getValue());
      }
    }
    return union;
  }

  private static void checkCount(List<AclEntry> acl) throws AclException {
    for (AclEntryScope scope : AclEntryScope.values()) {
      long count = acl.stream().filter(entry -> entry.getScope() == scope).count();
      if (count > MAX_ENTRIES) {
        throw new AclException(
            "Invalid ACL: ACL has "
                + count
                + (scope == AclEntryScope.ACCESS ? " access" : " default")
                + " entries, which exceeds maximum of "
                + MAX_ENTRIES
                + ".");
      }
    }
  }

  private void checkBase() throws AclException {
    for (AclEntryType type : BASE) {
      if (!entries.containsKey(new Key(AclEntryScope.ACCESS, type, null))) {
        throw new AclException("Invalid ACL: the user, group and other entries are required.");
      }
      if (has(AclEntryScope.DEFAULT)
          && !entries.containsKey(new Key(AclEntryScope.DEFAULT, type, null))) {
        throw new AclException(
            "Invalid default ACL: the user, group and other entries are required.");
      }
    }
  }
}
