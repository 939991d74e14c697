package io.acaciafs.namenode.settings;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * All settings of HDFS, and how Acacia treats each. A file beside this class has the list;
 * docs/hdfs-settings.md shows it to readers. Immutable.
 */
final class HdfsSettings {
  private static final String FILE = "hdfs-settings.txt";

  private final List<HdfsSetting> all;
  private final Map<String, HdfsSetting> byKey = new HashMap<>();
  private final List<HdfsSetting> patterns;

  private HdfsSettings(List<HdfsSetting> all) {
    this.all = all;
    all.forEach(
        setting -> {
          if (byKey.put(setting.key(), setting) != null) {
            throw new IllegalStateException(FILE + " names twice: " + setting.key());
          }
        });
    patterns =
        all.stream()
            .filter(HdfsSetting::isPattern)
            .sorted(Comparator.comparingInt(setting -> -setting.key().length()))
            .toList();
  }

  static HdfsSettings read() {
    try (BufferedReader lines =
        new BufferedReader(
            new InputStreamReader(
                HdfsSettings.class.getResourceAsStream(FILE), StandardCharsets.UTF_8))) {
      return new HdfsSettings(
          lines
              .lines()
              .filter(line -> !line.isBlank() && !line.startsWith("#"))
              .map(HdfsSetting::of)
              .toList());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** In the order of the file. */
  List<HdfsSetting> all() {
    return all;
  }

  /** What is said of a name: its own line, or that of the longest pattern. */
  Optional<HdfsSetting> find(String name) {
    HdfsSetting own = byKey.get(name);
    return own != null
        ? Optional.of(own)
        : patterns.stream().filter(setting -> setting.covers(name)).findFirst();
  }

  /** Whether a name is that of a setting followed by a nameservice, or a NameNode. */
  boolean isOfOneNameNode(String name) {
    for (int end = name.lastIndexOf('.'); end > 0; end = name.lastIndexOf('.', end - 1)) {
      if (byKey.containsKey(name.substring(0, end))) {
        return true;
      }
    }
    return false;
  }
}
