package io.acaciafs.web;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The parameters of a request as they were sent, which Hadoop's filter has quoted in those of the
 * servlet. Of several with one name the first counts. Immutable.
 */
public final class WebQuery {
  private final Map<String, String> parameters;

  private WebQuery(Map<String, String> parameters) {
    this.parameters = Map.copyOf(parameters);
  }

  /**
   * @param query null: there is none
   */
  public static WebQuery of(@Nullable String query) {
    Map<String, String> parameters = new HashMap<>();
    for (String each : query == null ? new String[0] : query.split("&")) {
      int equals = each.indexOf('=');
      if (equals > 0) {
        parameters.putIfAbsent(
            decoded(each.substring(0, equals)), decoded(each.substring(equals + 1)));
      }
    }
    return new WebQuery(parameters);
  }

  /** What is no code of a character stays as it is. */
  private static String decoded(String text) {
    try {
      return URLDecoder.decode(text, StandardCharsets.UTF_8);
    } catch (IllegalArgumentException e) {
      return text;
    }
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof WebQuery query && parameters.equals(query.parameters);
  }

  @Override
  public int hashCode() {
    return parameters.hashCode();
  }

  /** Empty where the request says nothing. */
  public String text(String name) {
    return parameters.getOrDefault(name, "");
  }

  /**
   * A whole number.
   *
   * @param otherwise where the request says nothing, or no number
   */
  public long number(String name, long otherwise) {
    try {
      return Long.parseLong(text(name));
    } catch (NumberFormatException e) {
      return otherwise;
    }
  }

  /**
   * The part of a list that is wanted, by "from", the number of its first entry, and "limit".
   *
   * @param otherwise how many where the request does not say it
   */
  public <T> Stream<T> page(List<T> all, int otherwise, int most) {
    return all.stream().skip(Math.max(0, number("from", 0))).limit(limit(otherwise, most));
  }

  /** How many entries of a list are wanted: one at least. */
  public int limit(int otherwise, int most) {
    return (int) Math.max(1, Math.min(most, number("limit", otherwise)));
  }
}
