package io.acaciafs.web;

import org.apache.hadoop.conf.Configuration;
import org.jspecify.annotations.Nullable;

/** A setting as a site gives it: Hadoop's own defaults do not count. Stateless. */
final class SiteSetting {
  private static final String DEFAULTS = "-default.xml";

  private SiteSetting() {}

  /** Null where nothing, or one of Hadoop's files of defaults alone, gives a value. */
  static @Nullable String of(Configuration conf, String key) {
    String[] sources = conf.getPropertySources(key);
    return sources == null || sources[sources.length - 1].endsWith(DEFAULTS)
        ? null
        : conf.getTrimmed(key);
  }
}
