package io.acaciafs.settings;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A setting: its name, type, default, range and meaning. Immutable.
 *
 * <p>Values are written as Hadoop reads them. An empty value is none.
 */
public final class Setting<T> {
  private final String name;
  private final SettingType<T> type;
  private final Default<T> otherwise;
  private final String meaning;

  private Setting(String name, SettingType<T> type, Default<T> otherwise, String meaning) {
    this.name = name;
    this.type = type;
    this.otherwise = otherwise;
    this.meaning = meaning;
  }

  /** A whole number of something, which {@code unit} says in the plural. */
  public static Setting<Integer> ofInt(
      String name, int otherwise, Range range, String unit, String meaning) {
    return ofInt(name, Default.of(otherwise), range, unit, meaning);
  }

  /** The same with a default that is computed. */
  public static Setting<Integer> ofInt(
      String name, Default<Integer> otherwise, Range range, String unit, String meaning) {
    return new Setting<>(name, SettingType.ofInt(range, unit), otherwise, meaning);
  }

  /** A whole number that may be large. */
  public static Setting<Long> ofLong(
      String name, Default<Long> otherwise, Range range, String unit, String meaning) {
    return new Setting<>(name, SettingType.ofLong(range, unit), otherwise, meaning);
  }

  /** A time, read as milliseconds; the site may give another unit, as in {@code 10s}. */
  public static Setting<Long> ofTimeMs(
      String name, long otherwiseMs, Range rangeMs, String meaning) {
    return new Setting<>(name, SettingType.ofTimeMs(rangeMs), Default.of(otherwiseMs), meaning);
  }

  /** A number of bytes, which the site may give as {@code 64m}. */
  public static Setting<Long> ofBytes(
      String name, Default<Long> otherwise, Range range, String meaning) {
    return new Setting<>(name, SettingType.ofBytes(range), otherwise, meaning);
  }

  /** A switch. */
  public static Setting<Boolean> ofBoolean(String name, boolean otherwise, String meaning) {
    return new Setting<>(name, SettingType.ofBoolean(), Default.of(otherwise), meaning);
  }

  /** One of some values, which the site gives as their text in lower case. */
  public static <T> Setting<T> ofChoice(
      String name, Default<T> otherwise, List<T> values, String meaning) {
    return new Setting<>(name, SettingType.ofChoice(values), otherwise, meaning);
  }

  /**
   * A text without blanks around it.
   *
   * @param kind what it says, for people
   */
  public static Setting<String> ofText(
      String name, Default<String> otherwise, String kind, String meaning) {
    return new Setting<>(name, SettingType.ofText(kind), otherwise, meaning);
  }

  public String name() {
    return name;
  }

  /** What it does, with links as a page in docs has them. */
  public String meaning() {
    return meaning;
  }

  /** Which values it may have, for people. */
  public String allowed() {
    return type.allowed();
  }

  /** What holds where the site sets nothing, for people. */
  public String defaultText() {
    String text = otherwise.text();
    return text == null ? type.format().apply(otherwise.value().get()) : text;
  }

  /**
   * The value that a site has set, or the default.
   *
   * @return null only where the default is none
   * @throws InvalidSettingException with a sentence for people when the site has set a value that
   *     is not allowed
   */
  public T in(SettingSource site) {
    T value = valueIn(site);
    return value == null ? otherwise.value().get() : value;
  }

  /** The same with another default. */
  public T in(SettingSource site, T insteadOfDefault) {
    T value = valueIn(site);
    return value == null ? insteadOfDefault : value;
  }

  private @Nullable T valueIn(SettingSource site) {
    String text = site.value(name);
    if (text == null || text.isBlank()) {
      return null;
    }
    try {
      return type.parser().apply(text.strip());
    } catch (IllegalArgumentException e) {
      throw new InvalidSettingException(
          name + " is " + text.strip() + "; it must be " + type.rule());
    }
  }

  @Override
  public String toString() {
    return name;
  }
}
