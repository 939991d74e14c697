package io.acaciafs.namenode.settings;

import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A line of the list.
 *
 * @param key a setting's name, or a pattern of names where {@code *} stands for anything
 * @param harmless values by which {@link Verdict#REFUSED} settings promise nothing, the usual one
 *     first; no value at all never does
 * @param remark the reason, or the program that reads it; may be empty
 */
record HdfsSetting(
    Verdict verdict, String key, List<String> harmless, String remark, @Nullable Pattern pattern) {

  static HdfsSetting of(String line) {
    String[] columns = line.split("\\|", -1);
    String key = columns[1].trim();
    return new HdfsSetting(
        Verdict.valueOf(columns[0].trim().toUpperCase(Locale.ROOT)),
        key,
        Stream.of(columns[2].split(","))
            .map(String::trim)
            .filter(value -> !value.isEmpty())
            .toList(),
        columns[3].trim(),
        key.contains("*") ? pattern(key) : null);
  }

  private static Pattern pattern(String key) {
    return Pattern.compile(
        Stream.of(key.split("\\*", -1)).map(Pattern::quote).collect(Collectors.joining(".*")));
  }

  boolean isPattern() {
    return pattern != null;
  }

  boolean covers(String name) {
    return pattern == null ? key.equals(name) : pattern.matcher(name).matches();
  }

  /** Whether a value, or each of several with commas in between, promises nothing. */
  boolean isHarmless(String value) {
    return Stream.of(value.split(","))
        .map(String::trim)
        .allMatch(part -> part.isEmpty() || harmless.stream().anyMatch(part::equalsIgnoreCase));
  }
}
