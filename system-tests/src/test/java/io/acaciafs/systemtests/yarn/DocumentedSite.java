package io.acaciafs.systemtests.yarn;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hadoop.conf.Configuration;

/** The settings that docs/applications.md gives a site to copy. */
final class DocumentedSite {
  private static final Path GUIDE =
      Path.of(System.getProperty("acacia.home"), "docs", "applications.md");
  private static final Pattern SETTINGS =
      Pattern.compile("<!-- (\\S+) -->\\n(<property>.*?)```", Pattern.DOTALL);

  private DocumentedSite() {}

  /** The settings of all files. */
  static Configuration read() throws IOException {
    Configuration site = new Configuration(false);
    Matcher settings = SETTINGS.matcher(Files.readString(GUIDE));
    while (settings.find()) {
      String xml = "<configuration>" + settings.group(2) + "</configuration>";
      site.addResource(
          new ByteArrayInputStream(xml.getBytes(StandardCharsets.UTF_8)), settings.group(1));
    }
    site.size(); // reads them
    return site;
  }
}
