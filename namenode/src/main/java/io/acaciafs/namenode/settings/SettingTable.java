package io.acaciafs.namenode.settings;

import io.acaciafs.settings.Setting;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.hadoop.conf.ConfigRedactor;
import org.apache.hadoop.conf.Configuration;

/** All settings with their values, for people. Secrets are never shown. Not thread-safe. */
public final class SettingTable {
  private static final String DEFAULTS = "-default.xml";

  /** Read once, by the first thread that needs them. */
  private static final class Known {
    private static final HdfsSettings HDFS = HdfsSettings.read();
    private static final HdfsDescriptions TEXTS = HdfsDescriptions.read();
    private static final Configuration DEFAULTS_OF_HDFS = new Configuration(false);

    static {
      DEFAULTS_OF_HDFS.addResource("core-default.xml");
      DEFAULTS_OF_HDFS.addResource("hdfs-default.xml");
    }
  }

  private final Configuration conf;
  private final ConfigRedactor redactor;
  private final Map<String, Setting<?>> acacias = new HashMap<>();

  /**
   * @param conf that holds
   * @param acacias settings that HDFS does not have
   */
  public SettingTable(Configuration conf, List<Setting<?>> acacias) {
    this.conf = conf;
    this.redactor = new ConfigRedactor(conf);
    acacias.forEach(setting -> this.acacias.put(setting.name(), setting));
  }

  /** In the order of names. */
  public List<SettingRow> rows() {
    Map<String, SettingRow> rows = new TreeMap<>();
    acacias.values().forEach(setting -> rows.put(setting.name(), acacias(setting)));
    for (Map.Entry<String, String> entry : conf) {
      rows.computeIfAbsent(entry.getKey(), this::hdfs);
    }
    Known.TEXTS.names().forEach(name -> rows.computeIfAbsent(name, this::hdfs));
    return new ArrayList<>(rows.values());
  }

  private SettingRow acacias(Setting<?> setting) {
    boolean isSet = !value(setting.name()).isEmpty();
    return new SettingRow(
        setting.name(),
        isSet ? shown(setting.name()) : setting.defaultText(),
        isSet ? source(setting.name()) : "default",
        setting.defaultText(),
        setting.meaning() + " (" + setting.allowed() + ")",
        treatment(Verdict.HONOURED),
        true);
  }

  private SettingRow hdfs(String name) {
    Optional<HdfsSetting> known = Known.HDFS.find(name);
    String remark = known.map(HdfsSetting::remark).orElse("");
    String text = Known.TEXTS.of(name);
    String usual = Known.DEFAULTS_OF_HDFS.getRaw(name);
    return new SettingRow(
        name,
        shown(name),
        source(name),
        usual == null ? "" : redactor.redact(name, usual),
        remark.isEmpty() ? text : text.isEmpty() ? remark : remark + ". " + text,
        known.map(setting -> treatment(setting.verdict())).orElse("unknown"),
        false);
  }

  private static String treatment(Verdict verdict) {
    return verdict.name().toLowerCase(Locale.ROOT);
  }

  private String shown(String name) {
    return redactor.redact(name, value(name));
  }

  private String value(String name) {
    try {
      return conf.get(name, "").strip();
    } catch (IllegalStateException e) { // variables that stand for each other
      return String.valueOf(conf.getRaw(name));
    }
  }

  private String source(String name) {
    String[] sources = conf.getPropertySources(name);
    if (sources == null || sources.length == 0) {
      return "default"; // and there is none
    }
    String last = sources[sources.length - 1];
    if (last.endsWith(DEFAULTS)) {
      return "default";
    }
    return last.isEmpty() || last.equals("programmatically")
        ? "code"
        : last.substring(last.lastIndexOf('/') + 1);
  }
}
