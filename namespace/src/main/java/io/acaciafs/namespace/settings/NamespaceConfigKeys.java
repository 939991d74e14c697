package io.acaciafs.namespace.settings;

import static io.acaciafs.settings.Range.atLeast;

import io.acaciafs.settings.Default;
import io.acaciafs.settings.Setting;
import io.acaciafs.settings.SettingGroup;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** The settings that HDFS does not have. */
public final class NamespaceConfigKeys {
  public static final Setting<Long> SPLIT_THRESHOLD =
      Setting.ofLong(
          "acacia.directory.split.threshold",
          Default.of("0; 20000 with HBase", () -> 0L),
          atLeast(0),
          "entries",
          "a bucket of a directory with more entries is divided in two while it is in use, up to"
              + " 1024 buckets; 0: none is. See [decision 017](decisions/017-directory-buckets.md)");

  public static final Setting<Boolean> SYMLINKS_ENABLED =
      Setting.ofBoolean(
          "acacia.symlinks.enabled",
          false,
          "whether clients may make symbolic links; those that are there work either way. Hadoop's"
              + " clients follow none unless their process calls `FileSystem.enableSymlinks()`");

  public static final Setting<Long> SWEEP_INTERVAL =
      Setting.ofTimeMs(
          "acacia.sweep.interval",
          TimeUnit.SECONDS.toMillis(1),
          atLeast(1),
          "how often deleted directories are looked for");

  public static final Setting<Integer> SUMMARY_THREADS =
      Setting.ofInt(
          "acacia.content.summary.threads",
          Default.of("one a core", () -> Runtime.getRuntime().availableProcessors()),
          atLeast(1),
          "threads",
          "threads that content summaries share");

  /** All of them. */
  public static final SettingGroup ALL =
      new SettingGroup(
          "Namespace", List.of(SPLIT_THRESHOLD, SYMLINKS_ENABLED, SWEEP_INTERVAL, SUMMARY_THREADS));

  private NamespaceConfigKeys() {}
}
