package io.acaciafs.tools.common;

import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import picocli.CommandLine.Help.Visibility;
import picocli.CommandLine.Option;

/**
 * The configuration of a command: Hadoop's XML files from the class path, where {@code bin/acacia}
 * puts {@code ACACIA_CONF_DIR}, {@code HADOOP_CONF_DIR} or {@code conf/}, overridden by {@code -D}.
 */
public final class ConfigurationOptions {

  @Option(
      names = "-D",
      paramLabel = "NAME=VALUE",
      showDefaultValue = Visibility.NEVER,
      description = "Sets a configuration property; may be repeated.")
  private Map<String, String> overrides = new LinkedHashMap<>();

  /** A new configuration; the caller owns it. */
  public Configuration load() {
    Configuration conf = new HdfsConfiguration();
    overrides.forEach(conf::set);
    return conf;
  }
}
