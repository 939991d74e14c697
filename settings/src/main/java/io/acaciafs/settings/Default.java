package io.acaciafs.settings;

import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What holds where the site sets nothing. Immutable.
 *
 * @param text for people; null: as the setting's type shows the value
 * @param value is asked at each reading; may give null
 */
public record Default<T>(@Nullable String text, Supplier<T> value) {

  /** A constant. */
  public static <T> Default<T> of(T value) {
    return new Default<>(null, () -> value);
  }

  /** No value. */
  public static <T> Default<T> none() {
    return new Default<>("none", () -> null);
  }

  /** A value that depends on the machine, or on other settings. */
  public static <T> Default<T> of(String text, Supplier<T> value) {
    return new Default<>(text, value);
  }
}
