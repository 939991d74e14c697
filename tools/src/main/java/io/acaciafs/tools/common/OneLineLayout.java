package io.acaciafs.tools.common;

import org.apache.log4j.PatternLayout;
import org.apache.log4j.spi.LoggingEvent;

/**
 * A layout in which only an event begins a line without a tab. Paths, names and error texts come
 * from clients and DataNodes; a line break in them must not look like a new event. Control
 * characters of messages are escaped as in Java; lines of stack traces begin with a tab.
 */
public final class OneLineLayout extends PatternLayout {
  private static final char FIRST_PRINTABLE = ' ';
  private static final char DELETE = 0x7f;
  private static final char LAST_CONTROL = 0x9f;
  private static final char LINE_SEPARATOR = '\u2028';
  private static final char PARAGRAPH_SEPARATOR = '\u2029';

  /** This layout writes stack traces itself. */
  @Override
  public boolean ignoresThrowable() {
    return false;
  }

  @Override
  public String format(LoggingEvent event) {
    String message = String.valueOf(event.getRenderedMessage());
    String escaped = escape(message);
    String line = super.format(escaped.equals(message) ? event : with(event, escaped));
    String[] trace = event.getThrowableStrRep();
    return trace == null ? line : line + indented(trace);
  }

  private static LoggingEvent with(LoggingEvent event, String message) {
    return new LoggingEvent(
        event.getFQNOfLoggerClass(),
        event.getLogger(),
        event.getTimeStamp(),
        event.getLevel(),
        message,
        event.getThreadName(),
        event.getThrowableInformation(),
        event.getNDC(),
        event.getLocationInformation(),
        event.getProperties());
  }

  private static String indented(String[] trace) {
    StringBuilder lines = new StringBuilder();
    for (String element : trace) {
      // A message within the trace may hold breaks of its own.
      for (String line : element.split("\\R")) {
        lines.append('\t').append(escape(line.strip())).append(System.lineSeparator());
      }
    }
    return lines.toString();
  }

  /** The text with its control characters as {@code \n}, {@code \r}, {@code \t} or a number. */
  static String escape(String text) {
    StringBuilder escaped = null;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (isControl(c)) {
        escaped = escaped == null ? new StringBuilder(text.substring(0, i)) : escaped;
        escaped.append(
            switch (c) {
              case '\n' -> "\\n";
              case '\r' -> "\\r";
              case '\t' -> "\\t";
              default -> String.format("\\u%04x", (int) c);
            });
      } else if (escaped != null) {
        escaped.append(c);
      }
    }
    return escaped == null ? text : escaped.toString();
  }

  private static boolean isControl(char c) {
    return c < FIRST_PRINTABLE
        || c >= DELETE && c <= LAST_CONTROL
        || c == LINE_SEPARATOR
        || c == PARAGRAPH_SEPARATOR;
  }
}
