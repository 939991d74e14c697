package org.apache.hadoop.hdfs;

import java.lang.reflect.Field;
import java.util.Collection;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.security.Groups;
import org.apache.hadoop.security.UserGroupInformation;

/**
 * The groups of users that a test has made up with {@code createUserForTesting}, for a NameNode in
 * another process. Hadoop keeps them where only its own class reads them.
 */
final class MadeUpGroups {
  private MadeUpGroups() {}

  /** By user; empty while no test has made up any. */
  static Map<String, String[]> known() throws ReflectiveOperationException {
    Field service = UserGroupInformation.class.getDeclaredField("groups");
    service.setAccessible(true);
    Groups groups = (Groups) service.get(null);
    Map<String, String[]> known = new TreeMap<>();
    if (groups != null && groups.getClass().getSimpleName().equals("TestingGroups")) {
      Field users = groups.getClass().getDeclaredField("userToGroupsMapping");
      users.setAccessible(true);
      ((Map<?, ?>) users.get(groups))
          .forEach((user, its) -> known.put(user.toString(), names((Collection<?>) its)));
    }
    return known;
  }

  private static String[] names(Collection<?> groups) {
    return groups.stream().map(Object::toString).toArray(String[]::new);
  }
}
