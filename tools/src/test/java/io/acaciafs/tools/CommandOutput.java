package io.acaciafs.tools;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** What a test's commands print, to both streams, in place of this process's own. */
final class CommandOutput implements BeforeEachCallback, AfterEachCallback {
  private final PrintStream stdout = System.out;
  private final PrintStream stderr = System.err;
  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

  @Override
  public void beforeEach(ExtensionContext context) {
    PrintStream stream = new PrintStream(bytes, true, StandardCharsets.UTF_8);
    System.setOut(stream);
    System.setErr(stream);
  }

  @Override
  public void afterEach(ExtensionContext context) {
    System.setOut(stdout);
    System.setErr(stderr);
  }

  void reset() {
    bytes.reset();
  }

  @Override
  public String toString() {
    return bytes.toString(StandardCharsets.UTF_8);
  }
}
