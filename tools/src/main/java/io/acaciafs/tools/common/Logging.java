package io.acaciafs.tools.common;

import java.nio.file.Path;
import java.util.Objects;

/**
 * Where the log goes: system properties that {@code conf/log4j.properties} reads.
 *
 * <p>To be called before the first class that logs is loaded; what the user has set himself stays.
 */
public final class Logging {
  private static final String CONSOLE = "acacia.log.console";
  private static final String FILE = "acacia.log.file";
  private static final String LAYOUT = "acacia.log.layout";

  /** Hadoop's: where metaSave and the audit log write. */
  private static final String FOLDER = "hadoop.log.dir";

  private Logging() {}

  /** For daemons in the foreground: the console gets everything. */
  public static void toConsole() {
    setDefault(CONSOLE, "INFO");
    setDefault(LAYOUT, OneLineLayout.class.getName());
  }

  /** Keeps the console free for the command's own words. */
  public static void toFile(Path file) {
    setDefault(CONSOLE, "OFF");
    setDefault(FILE, file.toString());
    setDefault(FOLDER, Objects.requireNonNull(file.getParent(), "it is in a folder").toString());
    setDefault(LAYOUT, OneLineLayout.class.getName());
  }

  private static void setDefault(String name, String value) {
    if (System.getProperty(name) == null) {
      System.setProperty(name, value);
    }
  }
}
