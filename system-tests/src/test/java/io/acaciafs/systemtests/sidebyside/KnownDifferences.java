package io.acaciafs.systemtests.sidebyside;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Intended differences between Acacia and HDFS. The file has four lines for each: the reason, the
 * requests, HDFS's answer, Acacia's answer. The last three are regular expressions for the whole
 * text. The test fails if a difference no longer occurs, unless its reason begins with "Perhaps".
 */
final class KnownDifferences {
  private record Known(String why, Pattern request, Pattern hdfs, Pattern acacia) {}

  private final List<Known> all = new ArrayList<>();
  private final Set<Known> met = new LinkedHashSet<>();

  KnownDifferences(String file) throws IOException {
    List<String> lines = RequestTable.lines(file);
    for (int i = 0; i + 3 < lines.size(); i += 4) {
      all.add(
          new Known(
              lines.get(i),
              Pattern.compile(lines.get(i + 1), Pattern.DOTALL),
              Pattern.compile(lines.get(i + 2), Pattern.DOTALL),
              Pattern.compile(lines.get(i + 3), Pattern.DOTALL)));
    }
  }

  boolean covers(String request, Answer hdfs, Answer acacia) {
    for (Known known : all) {
      if (known.request.matcher(request).matches()
          && known.hdfs.matcher(hdfs.text()).matches()
          && known.acacia.matcher(acacia.text()).matches()) {
        met.add(known);
        return true;
      }
    }
    return false;
  }

  /** What has not been met. */
  List<String> obsolete() {
    return all.stream()
        .filter(known -> !met.contains(known))
        .map(Known::why)
        .filter(why -> !why.startsWith("Perhaps"))
        .toList();
  }
}
