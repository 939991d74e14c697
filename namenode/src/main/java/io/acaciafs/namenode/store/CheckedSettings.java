package io.acaciafs.namenode.store;

import io.acaciafs.namenode.settings.AcaciaSettings;
import io.acaciafs.namenode.settings.Settings;
import io.acaciafs.settings.Setting;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;

/** The settings of a site, looked at before anything is done with them. Stateless. */
public final class CheckedSettings {
  private static final AcaciaSettings ACACIAS = new AcaciaSettings(Engines.all());

  private CheckedSettings() {}

  /**
   * The settings of this NameNode, see {@link Settings#ofThisNameNode}.
   *
   * @throws IOException with a sentence when one of Acacia's has a value that is not allowed
   */
  public static Configuration of(Configuration all) throws IOException {
    Configuration conf = Settings.ofThisNameNode(all);
    ACACIAS.check(conf);
    return conf;
  }

  /** All that HDFS does not have. */
  public static List<Setting<?>> acacias() {
    return ACACIAS.all();
  }

  /** One line about settings that look like Acacia's and are none; empty for nothing. */
  public static Optional<String> warning(Configuration conf) {
    return ACACIAS.warning(conf);
  }
}
