package io.acaciafs.web;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import javax.servlet.ServletException;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.handler.HandlerWrapper;

/**
 * Before all handlers of a server. While the server ends its parts are gone, and connections are
 * still there: a request then is answered with 503 and a sentence, where Jetty would say 404. Safe
 * for use by many threads.
 */
final class EndingHandler extends HandlerWrapper {
  private static final byte[] SENTENCE =
      "This NameNode ends, or changes its role. Ask again.\n".getBytes(StandardCharsets.UTF_8);

  private volatile boolean isEnding;

  /** From now on no request reaches the parts. */
  void end() {
    isEnding = true;
  }

  @Override
  public void handle(
      String target, Request base, HttpServletRequest request, HttpServletResponse response)
      throws IOException, ServletException {
    if (!isEnding) {
      super.handle(target, base, request, response);
    }
    if (isEnding && !base.isHandled()) { // also where the parts went before they saw it
      base.setHandled(true);
      response.setStatus(HttpServletResponse.SC_SERVICE_UNAVAILABLE);
      response.setHeader("Connection", "close");
      response.setContentType("text/plain; charset=utf-8");
      response.getOutputStream().write(SENTENCE);
    }
  }
}
