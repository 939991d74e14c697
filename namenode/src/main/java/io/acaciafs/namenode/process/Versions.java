package io.acaciafs.namenode.process;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Properties;

/**
 * The versions of Acacia and of the Hadoop that it is built with, as the build knew them. Loads no
 * class that logs.
 */
public final class Versions {
  private static final Properties KNOWN = read();

  /** Such as 1.2.0. */
  public static final String ACACIA = KNOWN.getProperty("version");

  public static final String HADOOP = KNOWN.getProperty("hadoop.version");

  private Versions() {}

  private static Properties read() {
    Properties properties = new Properties();
    try (InputStream in = Versions.class.getResourceAsStream("version.properties")) {
      properties.load(in);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return properties;
  }
}
