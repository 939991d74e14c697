package io.acaciafs.rpc;

import org.apache.hadoop.security.AccessControlException;
import org.apache.hadoop.security.UserGroupInformation;

/** Checks names of users: a name must not be able to forge a line of a log. Stateless. */
final class UserNames {
  private UserNames() {}

  /**
   * @throws AccessControlException if the name of the user or of its proxy user has control
   *     characters or line separators
   */
  static void check(UserGroupInformation user) throws AccessControlException {
    for (UserGroupInformation each = user; each != null; each = each.getRealUser()) {
      if (each.getUserName().chars().anyMatch(UserNames::isForbidden)) {
        throw new AccessControlException("A user's name must not have control characters");
      }
    }
  }

  private static boolean isForbidden(int character) {
    int type = Character.getType(character);
    return Character.isISOControl(character)
        || type == Character.LINE_SEPARATOR
        || type == Character.PARAGRAPH_SEPARATOR;
  }
}
