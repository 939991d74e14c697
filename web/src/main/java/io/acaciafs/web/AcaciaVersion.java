package io.acaciafs.web;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Properties;

/** The version of Acacia, as the build knew it. */
public final class AcaciaVersion {
  /** Such as 1.2.0. */
  public static final String TEXT = read();

  private AcaciaVersion() {}

  private static String read() {
    Properties properties = new Properties();
    try (InputStream in = AcaciaVersion.class.getResourceAsStream("version.properties")) {
      properties.load(in);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return properties.getProperty("version");
  }
}
