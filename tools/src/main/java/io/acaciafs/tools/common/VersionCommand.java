package io.acaciafs.tools.common;

import java.io.IOException;
import java.io.InputStream;
import java.util.Properties;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;

/**
 * Prints the versions that a report of a fault should name.
 *
 * <p>The parser asks for them at every start: nothing here may load a class that logs, since {@link
 * Logging} comes later.
 */
@Command(name = "version", description = "Prints the versions of Acacia, Hadoop and Java.")
public final class VersionCommand implements Callable<Integer>, IVersionProvider {

  @Override
  public Integer call() throws IOException {
    for (String line : getVersion()) {
      System.out.println(line);
    }
    return 0;
  }

  @Override
  public String[] getVersion() throws IOException {
    Properties properties = properties();
    return new String[] {
      "Acacia " + properties.getProperty("version"),
      "Hadoop " + properties.getProperty("hadoop.version"),
      "Java " + Runtime.version()
    };
  }

  /** The versions by name, as the build knew them. */
  public static Properties properties() throws IOException {
    Properties properties = new Properties();
    try (InputStream in = VersionCommand.class.getResourceAsStream("version.properties")) {
      properties.load(in);
    }
    return properties;
  }
}
