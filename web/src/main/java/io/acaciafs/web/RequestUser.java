package io.acaciafs.web;

import java.util.Locale;
import javax.servlet.ServletRequest;
import javax.servlet.http.HttpServletRequest;
import org.jspecify.annotations.Nullable;

/**
 * The user of a request for the security log, which stands before the filters that tell the user:
 * they leave the name in the request. Stateless.
 */
public final class RequestUser {
  private static final String PROVED = RequestUser.class.getName() + ".proved";
  private static final String AUDITED = RequestUser.class.getName() + ".audited";

  private RequestUser() {}

  /**
   * The request has proved to be of a user.
   *
   * @param user as the audit log writes it: alice (auth:TOKEN)
   */
  public static void prove(ServletRequest request, String user) {
    request.setAttribute(PROVED, user);
  }

  /**
   * The same for the user that Hadoop's filter has found.
   *
   * @param doAs for whom the user asks, whether it may or not; null: for itself
   */
  static void proveByFilter(HttpServletRequest request, @Nullable String doAs) {
    String user = request.getRemoteUser();
    if (user != null) { // else it may be anybody
      String proved =
          user + " (auth:" + String.valueOf(request.getAuthType()).toUpperCase(Locale.ROOT) + ")";
      boolean isForAnother = doAs != null && !doAs.equals(user);
      prove(request, isForAnother ? doAs + " (auth:PROXY) via " + proved : proved);
    }
  }

  /** As far as it is proved; null: nobody has proved anything. */
  static @Nullable String of(ServletRequest request) {
    return (String) request.getAttribute(PROVED);
  }

  /** From here on what the user may not do stands in the audit log. */
  public static void audit(ServletRequest request) {
    request.setAttribute(AUDITED, true);
  }

  static boolean isAudited(ServletRequest request) {
    return request.getAttribute(AUDITED) != null;
  }
}
