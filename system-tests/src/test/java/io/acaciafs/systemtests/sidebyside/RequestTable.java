package io.acaciafs.systemtests.sidebyside;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Requests from the folder {@code sidebyside} of the tests' resources. */
final class RequestTable {
  private RequestTable() {}

  /**
   * One a line, {@code PROTOCOL method: text}, without protocol of ClientProtocol; a line that
   * begins with # is a comment.
   */
  static List<Request> read(String file) throws IOException {
    return lines(file).stream()
        .map(line -> line.split(":", 2))
        .map(parts -> request(parts[0], parts[1].strip()))
        .toList();
  }

  private static Request request(String method, String text) {
    String[] words = method.split(" ");
    return words.length == 1
        ? new Request(method, text)
        : new Request(Protocol.valueOf(words[0]), words[1], text, List.of());
  }

  static List<String> lines(String file) throws IOException {
    try (InputStream in = RequestTable.class.getResourceAsStream("/sidebyside/" + file)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8)
          .lines()
          .filter(line -> !line.isBlank() && !line.startsWith("#"))
          .toList();
    }
  }
}
