package io.acaciafs.rpc.sasl;

import org.apache.hadoop.ipc.Server;
import org.apache.hadoop.security.UserGroupInformation;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Who was authenticated and who failed, in Hadoop's words and under the name of its logger, which
 * sites write to a file of its own; and which connections ended as a client did what it may not,
 * which Hadoop does not tell there. What a client chooses cannot begin a line. Any thread.
 */
final class AuthenticationLog {
  private static final Logger LOG =
      LoggerFactory.getLogger("SecurityLogger." + Server.class.getName());

  /** A client may present a name of any length. */
  private static final int LONGEST = 1000;

  private final String client;

  /**
   * @param client address and port
   */
  AuthenticationLog(String client) {
    this.client = client;
  }

  void succeeded(UserGroupInformation user) {
    LOG.info("Auth successful for {} from {}", harmless(user.toString()), client);
  }

  /**
   * @param attempting null: the client has not come to the point where it says who it is
   */
  void failed(@Nullable UserGroupInformation attempting, Exception failure, Exception cause) {
    LOG.warn(
        "Auth failed for {}:{}",
        client,
        harmless(
            attempting
                + " ("
                + failure.getLocalizedMessage()
                + ") with true cause: ("
                + cause.getLocalizedMessage()
                + ")"));
  }

  /**
   * @param user null: the client has not proved who it is
   */
  void refused(@Nullable UserGroupInformation user, String reason) {
    LOG.warn("Connection refused for {}:{}", client, harmless(user + " (" + reason + ")"));
  }

  void endedBadly(Exception cause) {
    LOG.debug("A mechanism ended badly client={}", client, cause);
  }

  static String harmless(String text) {
    StringBuilder harmless = new StringBuilder(Math.min(text.length(), LONGEST));
    text.codePoints()
        .limit(LONGEST)
        .forEach(each -> harmless.appendCodePoint(isControl(each) ? '?' : each));
    return harmless.toString();
  }

  private static boolean isControl(int codePoint) {
    int type = Character.getType(codePoint);
    return Character.isISOControl(codePoint)
        || type == Character.LINE_SEPARATOR
        || type == Character.PARAGRAPH_SEPARATOR
        || type == Character.FORMAT;
  }
}
