package io.acaciafs.namespace.record.codec;

import io.acaciafs.namespace.record.Acl;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;
import java.util.function.ToIntFunction;
import org.apache.hadoop.fs.permission.AclEntry;
import org.apache.hadoop.fs.permission.AclEntryScope;
import org.apache.hadoop.fs.permission.AclEntryType;
import org.apache.hadoop.fs.permission.FsAction;

/**
 * An entry of an ACL as one number: dictionary id of its name (0: none) * 64 + scope (0 access, 1
 * default) * 32 + type (0 user, 1 group, 2 mask, 3 other) * 8 + permission bits. Stored as varints,
 * so an entry takes one to four bytes.
 */
final class AclCodec {
  private static final int NAME_SHIFT = 6;
  private static final int SCOPE_SHIFT = 5;
  private static final int TYPE_SHIFT = 3;
  private static final AclEntryType[] TYPES = {
    AclEntryType.USER, AclEntryType.GROUP, AclEntryType.MASK, AclEntryType.OTHER
  };
  private static final FsAction[] ACTIONS = FsAction.values();

  private AclCodec() {}

  static List<Long> encode(Acl acl, ToIntFunction<String> idOfName) {
    return acl.entries().stream().map(entry -> encode(entry, idOfName)).toList();
  }

  private static long encode(AclEntry entry, ToIntFunction<String> idOfName) {
    long id = entry.getName() == null ? 0 : idOfName.applyAsInt(entry.getName());
    long scope = entry.getScope() == AclEntryScope.DEFAULT ? 1 : 0;
    long type = List.of(TYPES).indexOf(entry.getType());
    return id << NAME_SHIFT
        | scope << SCOPE_SHIFT
        | type << TYPE_SHIFT
        | entry.getPermission().ordinal();
  }

  static Acl decode(List<Long> numbers, IntFunction<String> nameOfId) {
    if (numbers.isEmpty()) {
      return Acl.NONE;
    }
    List<AclEntry> access = new ArrayList<>();
    List<AclEntry> defaults = new ArrayList<>();
    for (long number : numbers) {
      AclEntry entry = decode(number, nameOfId);
      (entry.getScope() == AclEntryScope.ACCESS ? access : defaults).add(entry);
    }
    return new Acl(access, defaults);
  }

  private static AclEntry decode(long number, IntFunction<String> nameOfId) {
    int id = (int) (number >>> NAME_SHIFT);
    return new AclEntry.Builder()
        .setName(id == 0 ? null : nameOfId.apply(id))
        .setScope((number >> SCOPE_SHIFT & 1) == 1 ? AclEntryScope.DEFAULT : AclEntryScope.ACCESS)
        .setType(TYPES[(int) (number >> TYPE_SHIFT & 3)])
        .setPermission(ACTIONS[(int) (number & 7)])
        .build();
  }
}
