package io.acaciafs.settings;

import org.jspecify.annotations.Nullable;

/** Where the values of settings come from; Hadoop's {@code Configuration::getTrimmed} is one. */
@FunctionalInterface
public interface SettingSource {
  /** The value of a setting; null when the site sets none. */
  @Nullable String value(String name);
}
