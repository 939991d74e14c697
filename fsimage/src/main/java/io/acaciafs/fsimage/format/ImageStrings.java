package io.acaciafs.fsimage.format;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The strings of an image that is being written, and their numbers: names of users, groups and
 * extended attributes. One number space serves all kinds, which an image says by having no mask
 * bits. For one thread.
 */
public final class ImageStrings {
  /** Numbers have 24 bits wherever they stand. */
  private static final int MOST = (1 << 24) - 1;

  private final Map<String, Integer> numbers = new HashMap<>();
  private final List<String> strings = new ArrayList<>();

  /**
   * @param string null has the number 0
   * @throws IOException when there are more strings than an image can hold
   */
  int numberOf(String string) throws IOException {
    if (string == null) {
      return 0;
    }
    Integer known = numbers.get(string);
    if (known != null) {
      return known;
    }
    if (strings.size() == MOST) {
      throw new IOException(
          "An image holds at most " + MOST + " names of users, groups and attributes");
    }
    strings.add(string);
    numbers.put(string, strings.size());
    return strings.size();
  }

  /** In the order of their numbers, from 1. */
  public List<String> all() {
    return List.copyOf(strings);
  }
}
