package io.acaciafs.namespace.model;

import io.acaciafs.namespace.op.attribute.ModifyAclEntries;
import io.acaciafs.namespace.op.attribute.RemoveAcl;
import io.acaciafs.namespace.op.attribute.RemoveAclEntries;
import io.acaciafs.namespace.op.attribute.RemoveDefaultAcl;
import io.acaciafs.namespace.op.attribute.SetAcl;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.fs.permission.AclEntry;
import org.apache.hadoop.fs.permission.AclEntryScope;
import org.apache.hadoop.fs.permission.AclEntryType;
import org.apache.hadoop.fs.permission.FsAction;

/** Changes of ACLs. */
record AclSteps(Draws draws) {
  private static final List<String> BASE = List.of("user:", "group:", "other:");
  private static final List<String> KEYS =
      List.of("user:", "group:", "other:", "mask:", "user:alice", "user:bob", "group:dev");

  Step next(Draws.Who who, String path) {
    Map<String, Integer> access = entries();
    Map<String, Integer> defaults = draws.once(2) ? entries() : Map.of();
    String text = " " + path + " " + access + " default " + defaults;
    return switch (draws.random().nextInt(8)) {
      case 0 ->
          Step.of(
              "removeAcl " + path,
              who.caller(),
              new RemoveAcl(path),
              nothing -> "done",
              m -> m.acls().remove(who.user(), path));
      case 1 ->
          Step.of(
              "removeDefaultAcl " + path,
              who.caller(),
              new RemoveDefaultAcl(path),
              nothing -> "done",
              m -> m.acls().removeDefaults(who.user(), path));
      case 2, 3 ->
          Step.of(
              "removeAclEntries" + text,
              who.caller(),
              new RemoveAclEntries(path, spec(access, defaults)),
              nothing -> "done",
              m -> m.acls().removeEntries(who.user(), path, access.keySet(), defaults.keySet()));
      case 4, 5 -> set(who, path, withBase(access), defaults);
      default ->
          Step.of(
              "modifyAcl" + text,
              who.caller(),
              new ModifyAclEntries(path, spec(access, defaults)),
              nothing -> "done",
              m -> m.acls().modify(who.user(), path, access, defaults));
    };
  }

  private Step set(
      Draws.Who who, String path, Map<String, Integer> access, Map<String, Integer> defaults) {
    return Step.of(
        "setAcl " + path + " " + access + " default " + defaults,
        who.caller(),
        new SetAcl(path, spec(access, defaults)),
        nothing -> "done",
        m -> m.acls().set(who.user(), path, access, defaults));
  }

  private Map<String, Integer> entries() {
    Map<String, Integer> entries = new TreeMap<>();
    for (int i = draws.random().nextInt(4); i > 0; i--) {
      entries.put(draws.oneOf(KEYS), draws.random().nextInt(8));
    }
    return entries;
  }

  /** Mostly what a whole ACL needs. */
  private Map<String, Integer> withBase(Map<String, Integer> entries) {
    if (!draws.once(6)) {
      BASE.forEach(key -> entries.putIfAbsent(key, draws.random().nextInt(8)));
    }
    return entries;
  }

  private static List<AclEntry> spec(Map<String, Integer> access, Map<String, Integer> defaults) {
    List<AclEntry> spec = new ArrayList<>();
    access.forEach((key, permission) -> spec.add(entry(AclEntryScope.ACCESS, key, permission)));
    defaults.forEach((key, permission) -> spec.add(entry(AclEntryScope.DEFAULT, key, permission)));
    return spec;
  }

  private static AclEntry entry(AclEntryScope scope, String key, int permission) {
    int colon = key.indexOf(':');
    AclEntry.Builder entry =
        new AclEntry.Builder()
            .setScope(scope)
            .setType(AclEntryType.valueOf(key.substring(0, colon).toUpperCase()))
            .setPermission(FsAction.values()[permission]);
    return colon == key.length() - 1
        ? entry.build()
        : entry.setName(key.substring(colon + 1)).build();
  }
}
