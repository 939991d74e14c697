package io.acaciafs.tools.common;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class ProgressTest {
  private final ByteArrayOutputStream output = new ByteArrayOutputStream();
  private final PrintStream out = new PrintStream(output, true, StandardCharsets.UTF_8);

  @Test
  void movesOneLineOnATerminalAndWipesIt() throws Exception {
    CountDownLatch asked = new CountDownLatch(2);
    try (Progress progress =
        new Progress(
            out,
            true,
            "TeraSort",
            () -> {
              asked.countDown();
              return 0.5;
            })) {
      progress.start();
      assertThat(asked.await(60, TimeUnit.SECONDS)).isTrue();
    }
    assertThat(output.toString(StandardCharsets.UTF_8))
        .startsWith("\rTeraSort")
        .contains("#####.....", " 50 %")
        .endsWith(" \r")
        .doesNotContain("\n");
  }

  @Test
  void printsPlainLinesElsewhere() {
    try (Progress progress = new Progress(out, false, "TeraSort", () -> 0.5)) {
      progress.start();
    }
    assertThat(output.toString(StandardCharsets.UTF_8)).isEqualToIgnoringNewLines("TeraSort ...");
  }
}
