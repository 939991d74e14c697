package io.acaciafs.systemtests.hdfs;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The files of Hadoop's tests of commands, which want them in a folder. */
final class CliFiles {
  private static final List<String> NAMES =
      List.of(
          "testHDFSConf.xml",
          "testAclCLI.xml",
          "testXAttrConf.xml",
          "testDeleteConf.xml",
          "data15bytes",
          "data30bytes",
          "data60bytes",
          "data120bytes",
          "data1k");

  /**
   * What commands that are left out begin their descriptions with: Acacia does not know them yet.
   */
  private static final List<String> LATER =
      List.of(
          "refreshServiceAcl",
          "allowSnapshot",
          "disallowSnapshot",
          "createSnapshot",
          "renameSnapshot",
          "deleteSnapshot",
          // wants four racks, and all DataNodes are on one host
          "printTopology");

  private static final Pattern TEST =
      Pattern.compile("<test>.*?<description>\\s*(\\w+).*?</test>", Pattern.DOTALL);

  private CliFiles() {}

  /** Takes them from the class path. */
  static void extract() {
    Path folder = Path.of(System.getProperty("test.cache.data"));
    try {
      Files.createDirectories(folder);
      for (String name : NAMES) {
        try (InputStream in = CliFiles.class.getResourceAsStream("/" + name)) {
          if (in != null) {
            String text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
            Files.writeString(folder.resolve(name), withoutLater(text));
          }
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String withoutLater(String text) {
    return TEST.matcher(text)
        .replaceAll(
            test -> Matcher.quoteReplacement(LATER.contains(test.group(1)) ? "" : test.group()));
  }
}
