package io.acaciafs.systemtests.sidebyside;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

/**
 * Attributes of beans that need not, or cannot, have the values that Hadoop's NameNode has. A line
 * of the file has the kind, a regular expression for "BEAN ATTRIBUTE" and the reason, with bars
 * between.
 */
final class BeanDifferences {
  private enum Kind {
    /** Each NameNode has a value of its own, which may be the same by chance. */
    VARIES,
    /** The values are never the same. */
    DIFFERS,
    /** Acacia has no such attribute. */
    ABSENT
  }

  private record Known(Kind kind, Pattern attributes) {
    boolean covers(String attribute) {
      return attributes.matcher(attribute).matches();
    }
  }

  private final List<Known> all;

  BeanDifferences(String file) throws IOException {
    all = RequestTable.lines(file).stream().map(BeanDifferences::known).toList();
  }

  private static Known known(String line) {
    String[] parts = line.split(" \\| ");
    if (parts.length != 3) {
      throw new IllegalArgumentException("Not kind, attributes and reason: " + line);
    }
    return new Known(Kind.valueOf(parts[0]), Pattern.compile(parts[1]));
  }

  /** Differences that are not listed, and listed ones of which there is none any more. */
  List<String> between(Map<String, String> hdfs, Map<String, String> acacia) {
    List<String> found = new ArrayList<>();
    Set<Known> met = new HashSet<>();
    Set<String> attributes = new TreeSet<>(hdfs.keySet());
    attributes.addAll(acacia.keySet());
    for (String attribute : attributes) {
      String expected = hdfs.get(attribute);
      String value = acacia.get(attribute);
      if (Objects.equals(expected, value)) {
        continue;
      }
      Kind kind = expected != null && value == null ? Kind.ABSENT : Kind.DIFFERS;
      Known known = listed(attribute, kind);
      if (known == null) {
        found.add(attribute + "\n  HDFS:   " + expected + "\n  Acacia: " + value);
      } else {
        met.add(known);
      }
    }
    all.stream()
        .filter(known -> known.kind() != Kind.VARIES && !met.contains(known))
        .forEach(known -> found.add("No such difference any more: " + known));
    return found;
  }

  /** Null where the difference is not listed. */
  private Known listed(String attribute, Kind kind) {
    return all.stream()
        .filter(
            known -> known.kind() == kind || kind == Kind.DIFFERS && known.kind() == Kind.VARIES)
        .filter(known -> known.covers(attribute))
        .findFirst()
        .orElse(null);
  }
}
