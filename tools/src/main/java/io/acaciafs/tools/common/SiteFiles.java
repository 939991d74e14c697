package io.acaciafs.tools.common;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.hadoop.conf.Configuration;

/** Writes files as Hadoop reads them. Stateless. */
public final class SiteFiles {
  private SiteFiles() {}

  /** Makes {@code core-site.xml} and {@code hdfs-site.xml} in a folder, which hold the same. */
  public static void write(Configuration settings, Path confFolder) throws IOException {
    write(settings, confFolder, List.of("core-site.xml", "hdfs-site.xml"));
  }

  /** The same with these files. */
  public static void write(Configuration settings, Path confFolder, List<String> files)
      throws IOException {
    Files.createDirectories(confFolder);
    for (String file : files) {
      try (OutputStream out = Files.newOutputStream(confFolder.resolve(file))) {
        settings.writeXml(out);
      }
    }
  }
}
