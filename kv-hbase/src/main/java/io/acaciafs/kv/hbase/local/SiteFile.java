package io.acaciafs.kv.hbase.local;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/** A configuration file as Hadoop and HBase read it. */
final class SiteFile {
  private SiteFile() {}

  static void write(Path file, Map<String, String> settings) throws IOException {
    StringBuilder xml = new StringBuilder("<?xml version=\"1.0\"?>\n<configuration>\n");
    settings.forEach(
        (name, value) ->
            xml.append("  <property><name>")
                .append(name)
                .append("</name><value>")
                .append(escape(value))
                .append("</value></property>\n"));
    Files.writeString(file, xml.append("</configuration>\n"));
  }

  private static String escape(String value) {
    return value.replace("&", "&amp;").replace("<", "&lt;");
  }
}
