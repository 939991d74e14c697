package io.acaciafs.rpc.limit;

import io.acaciafs.rpc.protocol.RequestCheck;
import java.nio.charset.StandardCharsets;
import org.apache.hadoop.security.AccessControlException;
import org.apache.hadoop.security.UserGroupInformation;

/**
 * Checks names of users: a name has a length limit, and it must not be able to forge a line of a
 * log. Stateless.
 */
public final class UserNames {
  public static final int MAX_BYTES = RequestCheck.SMALL_BYTES;

  private UserNames() {}

  /**
   * @throws AccessControlException if the name of the user or of its proxy user is too long, or has
   *     control characters or line separators
   */
  public static void check(UserGroupInformation user) throws AccessControlException {
    for (UserGroupInformation each = user; each != null; each = each.getRealUser()) {
      int bytes = utf8Length(each.getUserName());
      if (bytes > MAX_BYTES) {
        throw new AccessControlException(
            "A user's name is " + bytes + " bytes long, at most " + MAX_BYTES + " are allowed");
      }
      if (each.getUserName().chars().anyMatch(UserNames::isForbidden)) {
        throw new AccessControlException("A user's name must not have control characters");
      }
    }
  }

  /** Exact only where the name may be too long. */
  public static int utf8Length(String name) {
    return name.length() <= MAX_BYTES / 3
        ? name.length()
        : name.getBytes(StandardCharsets.UTF_8).length;
  }

  private static boolean isForbidden(int character) {
    int type = Character.getType(character);
    return Character.isISOControl(character)
        || type == Character.LINE_SEPARATOR
        || type == Character.PARAGRAPH_SEPARATOR;
  }
}
