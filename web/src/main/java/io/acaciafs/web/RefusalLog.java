package io.acaciafs.web;

import java.io.IOException;
import javax.servlet.ServletException;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;
import org.apache.hadoop.hdfs.web.WebHdfsFileSystem;
import org.apache.hadoop.http.HttpServer2;
import org.apache.hadoop.security.authentication.client.AuthenticatedURL;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.handler.HandlerWrapper;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes a line to Hadoop's security log for each request that was refused. The first answer of
 * SPNEGO, which asks a client who it is, refuses nothing. What a known user of WebHDFS may not do
 * stands in the audit log. Safe for use by many threads.
 */
final class RefusalLog extends HandlerWrapper {
  private static final Logger SECURITY =
      LoggerFactory.getLogger("SecurityLogger." + HttpServer2.class.getName());

  @Override
  public void handle(
      String target, Request base, HttpServletRequest request, HttpServletResponse response)
      throws IOException, ServletException {
    try {
      super.handle(target, base, request, response);
    } finally {
      int status = base.getResponse().getStatus();
      if (isRefused(status, base)) {
        SECURITY.warn(
            "Request refused for {}:{}:{} {} {} ({} {})",
            base.getRemoteAddr(),
            base.getRemotePort(),
            base.getRemoteUser(),
            base.getMethod(),
            oneLine(base.getRequestURI()),
            status,
            oneLine(base.getResponse().getReason()));
      }
    }
  }

  private static boolean isRefused(int status, Request request) {
    if (status == HttpServletResponse.SC_UNAUTHORIZED) {
      String cookie = request.getHeader("Cookie");
      return request.getHeader("Authorization") != null
          || cookie != null && cookie.contains(AuthenticatedURL.AUTH_COOKIE);
    }
    return status == HttpServletResponse.SC_FORBIDDEN
        && (request.getRemoteUser() == null
            || !request.getRequestURI().startsWith(WebHdfsFileSystem.PATH_PREFIX));
  }

  /** So that nothing in it begins a line of its own. */
  private static String oneLine(String text) {
    return text == null ? "" : text.replaceAll("\\p{Cntrl}", "?");
  }
}
