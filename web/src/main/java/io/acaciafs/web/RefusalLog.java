package io.acaciafs.web;

import java.io.IOException;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import javax.servlet.ServletException;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;
import org.apache.commons.text.StringEscapeUtils;
import org.apache.hadoop.http.HttpServer2;
import org.apache.hadoop.log.LogThrottlingHelper;
import org.apache.hadoop.security.authentication.client.AuthenticatedURL;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.handler.HandlerWrapper;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes a line to Hadoop's security log for each request that was refused, with the user that it
 * has proved to be of, or null. A request that proves nothing may be the first one of SPNEGO, whose
 * client proves itself next, or a stranger's: of these the log has at most one line a second, which
 * says how many others there were since the last. HDFS writes none of all these. What a known user
 * of WebHDFS may not do stands in the audit log. What a client chooses is escaped as there, so that
 * nothing in it begins a line. Safe for use by many threads.
 */
final class RefusalLog extends HandlerWrapper {
  private static final Logger SECURITY =
      LoggerFactory.getLogger("SecurityLogger." + HttpServer2.class.getName());
  private static final long PERIOD_MS = 1000;

  private final LogThrottlingHelper unproved = new LogThrottlingHelper(PERIOD_MS);

  @Override
  public void handle(
      String target, Request base, HttpServletRequest request, HttpServletResponse response)
      throws IOException, ServletException {
    try {
      super.handle(target, base, request, response);
    } finally {
      int status = base.getResponse().getStatus();
      if (status == HttpServletResponse.SC_UNAUTHORIZED && !showsProof(base)) {
        LogThrottlingHelper.LogAction line =
            unproved.record("requests", TimeUnit.NANOSECONDS.toMillis(System.nanoTime()));
        if (line.shouldLog()) {
          SECURITY.info(
              "Request without a proof from {}{}",
              text(base, ""),
              LogThrottlingHelper.getLogSupressionMessage(line));
        }
      } else if (isRefused(status, base)) {
        SECURITY.warn("Request refused for {}", text(base, RequestUser.of(base) + " "));
      }
    }
  }

  private static String text(Request request, String user) {
    return String.format(
        Locale.ROOT,
        "%s:%d:%s%s %s (%d %s)",
        request.getRemoteAddr(),
        request.getRemotePort(),
        StringEscapeUtils.escapeJava(user),
        request.getMethod(),
        StringEscapeUtils.escapeJava(request.getRequestURI()),
        request.getResponse().getStatus(),
        StringEscapeUtils.escapeJava(
            Objects.requireNonNullElse(request.getResponse().getReason(), "")));
  }

  private static boolean isRefused(int status, Request request) {
    return status == HttpServletResponse.SC_UNAUTHORIZED
        || status == HttpServletResponse.SC_FORBIDDEN && !RequestUser.isAudited(request);
  }

  private static boolean showsProof(Request request) {
    String cookie = request.getHeader("Cookie");
    return request.getHeader("Authorization") != null
        || cookie != null && cookie.contains(AuthenticatedURL.AUTH_COOKIE);
  }
}
