package io.acaciafs.bench.compare;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The part of a page that a command writes, between two comments.
 *
 * @param command that writes it, as the comments name it
 */
public record MarkedSection(String command) {
  private String mark(String end) {
    return "<!-- written by " + command + ": " + end + " -->\n";
  }

  /** Puts a text between the marks. */
  public void write(Path page, String text) throws IOException {
    String whole = Files.readString(page);
    int begin = whole.indexOf(mark("begin"));
    int end = whole.indexOf(mark("end"));
    if (begin < 0 || end < begin) {
      throw new IOException(page + " has no place for the text: " + mark("begin") + mark("end"));
    }
    Files.writeString(
        page, whole.substring(0, begin + mark("begin").length()) + text + whole.substring(end));
  }
}
