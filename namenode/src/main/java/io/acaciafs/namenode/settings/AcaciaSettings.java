package io.acaciafs.namenode.settings;

import io.acaciafs.blocks.settings.BlockConfigKeys;
import io.acaciafs.kv.engine.EngineProvider;
import io.acaciafs.namespace.settings.NamespaceConfigKeys;
import io.acaciafs.rpc.options.RpcConfigKeys;
import io.acaciafs.settings.InvalidSettingException;
import io.acaciafs.settings.Setting;
import io.acaciafs.settings.SettingGroup;
import io.acaciafs.settings.SettingSource;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import org.apache.hadoop.conf.Configuration;

/** All settings that HDFS does not have, those of the engines too. Immutable. */
public final class AcaciaSettings {
  private static final String PREFIX = "acacia.";

  private final List<SettingGroup> groups;

  /**
   * @param engines all that may be chosen; the settings of those that are not chosen count as well
   */
  public AcaciaSettings(List<EngineProvider> engines) {
    groups = new ArrayList<>();
    groups.add(NameNodeConfigKeys.ALL);
    for (EngineProvider engine : engines) {
      if (!engine.settings().isEmpty()) {
        groups.add(new SettingGroup(engine.title(), engine.settings()));
      }
    }
    groups.add(RpcConfigKeys.ALL);
    groups.add(NamespaceConfigKeys.ALL);
    groups.add(BlockConfigKeys.ALL);
  }

  /** In the order in which people read them. */
  public List<SettingGroup> groups() {
    return List.copyOf(groups);
  }

  /** In the order of the groups. */
  public List<Setting<?>> all() {
    List<Setting<?>> all = new ArrayList<>();
    groups.forEach(group -> all.addAll(group.settings()));
    return all;
  }

  /**
   * Reads all settings of a site.
   *
   * @throws IOException with a sentence for each one whose value is not allowed
   */
  public void check(Configuration conf) throws IOException {
    SettingSource site = conf::getTrimmed;
    List<String> sentences = new ArrayList<>();
    for (Setting<?> setting : all()) {
      try {
        setting.in(site);
      } catch (InvalidSettingException e) {
        sentences.add(e.getMessage());
      }
    }
    if (!sentences.isEmpty()) {
      throw new IOException(String.join(". ", sentences));
    }
  }

  /** One line about what the site has set under our prefix and nothing reads; empty for nothing. */
  public Optional<String> warning(Configuration conf) {
    TreeSet<String> unknown = new TreeSet<>();
    conf.getPropsWithPrefix(PREFIX).keySet().forEach(rest -> unknown.add(PREFIX + rest));
    all().forEach(setting -> unknown.remove(setting.name()));
    return unknown.isEmpty()
        ? Optional.empty()
        : Optional.of(
            "Settings that are not known here: "
                + String.join(", ", unknown)
                + ". See docs/configuration.md");
  }
}
