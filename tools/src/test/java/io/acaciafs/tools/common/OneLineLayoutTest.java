package io.acaciafs.tools.common;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.apache.log4j.Level;
import org.apache.log4j.Logger;
import org.apache.log4j.spi.LoggingEvent;
import org.junit.jupiter.api.Test;

class OneLineLayoutTest {
  private final OneLineLayout layout = new OneLineLayout();

  private String format(String message, Throwable failure) {
    layout.setConversionPattern("%-5p - %m%n");
    Logger logger = Logger.getLogger("some");
    return layout.format(new LoggingEvent("some", logger, 0, Level.INFO, message, failure));
  }

  @Test
  void leavesOrdinaryTextAsItIs() {
    assertThat(format("File made path=/a/b\u00e4 size=3", null))
        .isEqualTo("INFO  - File made path=/a/b\u00e4 size=3" + System.lineSeparator());
  }

  @Test
  void aLineBreakInAMessageBeginsNoLine() {
    assertThat(format("path=/a\nINFO  - all is well\r\u2028\u0085\u001b[1m", null))
        .isEqualTo(
            "INFO  - path=/a\\nINFO  - all is well\\r\\u2028\\u0085\\u001b[1m"
                + System.lineSeparator());
  }

  @Test
  void aLineBreakInAnExceptionLooksLikeNoEvent() {
    Throwable failure =
        new IOException("no /a\nINFO  - forged", new IOException("below\rINFO  - forged too"));
    String[] lines = format("Call failed", failure).split("[\\r\\n]+");
    assertThat(lines[0]).isEqualTo("INFO  - Call failed");
    assertThat(lines).hasSizeGreaterThan(4);
    assertThat(lines).filteredOn(line -> !line.startsWith("\t")).hasSize(1);
    assertThat(String.join("|", lines)).contains("OneLineLayoutTest.java");
  }
}
