package io.acaciafs.rpc;

import org.apache.hadoop.security.AccessControlException;
import org.apache.hadoop.security.UserGroupInformation;

/** Which names users may have: any that do not pretend to be a line of a log. Stateless. */
final class UserNames {
  private UserNames() {}

  /**
   * @throws AccessControlException if the user, or who speaks for him, has control characters or
   *     line separators in his name
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
