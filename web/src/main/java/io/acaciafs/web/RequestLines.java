package io.acaciafs.web;

import java.util.regex.Pattern;
import org.apache.hadoop.http.HttpServer2;
import org.eclipse.jetty.server.CustomRequestLog;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.RequestLog;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.handler.RequestLogHandler;

/**
 * The lines of the log {@code http.requests}: Hadoop's, but for the tokens that WebHDFS has in
 * addresses, by which a reader of the log could act for their owners. Stateless.
 */
final class RequestLines {
  /** Also of a name that is encoded, whatever it is. */
  private static final Pattern SECRET =
      Pattern.compile("(?i)([?&](?:delegation|token|[^=&\"\\s]*%[^=&\"\\s]*)=)[^&\"\\s]*");

  private RequestLines() {}

  /** Before the server starts. */
  static void hideTokens(HttpServer2 server) {
    Server jetty = server.getWebAppContext().getServer();
    for (Handler each : jetty.getChildHandlersByClass(RequestLogHandler.class)) {
      RequestLogHandler handler = (RequestLogHandler) each;
      if (handler.getRequestLog() instanceof CustomRequestLog hadoops) {
        RequestLog.Writer writer = hadoops.getWriter();
        CustomRequestLog log =
            new CustomRequestLog(
                line -> writer.write(withoutTokens(line)), hadoops.getFormatString());
        log.addBean(writer); // starts with it
        handler.setRequestLog(log);
      }
    }
  }

  static String withoutTokens(String line) {
    return SECRET.matcher(line).replaceAll("$1***");
  }
}
