package io.acaciafs.namenode.settings;

import io.acaciafs.blocks.settings.TokenSettings;
import java.io.IOException;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CommonConfigurationKeysPublic;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.client.HdfsClientConfigKeys;
import org.jspecify.annotations.Nullable;

/**
 * Looks at what a site has set of HDFS's settings, so that none is ignored in silence: one that
 * promises protection and is not honoured refuses the start, others are named. For one thread.
 */
public final class SettingsCheck {
  /** What has an effect with Kerberos alone, in Hadoop too. */
  private static final Set<String> OF_KERBEROS =
      Set.of(
          CommonConfigurationKeysPublic.HADOOP_RPC_PROTECTION,
          HdfsClientConfigKeys.DFS_DATA_TRANSFER_PROTECTION_KEY,
          CommonConfigurationKeysPublic.HADOOP_SECURITY_SASL_PROPS_RESOLVER_CLASS);

  private static final String DEFAULTS = "-default.xml";

  /** Prefixes for which an unknown name is likely a mistake. */
  private static final List<String> OF_A_NAMENODE =
      List.of(
          "dfs.namenode.",
          "dfs.permissions.",
          "dfs.protected.",
          "fs.protected.",
          "hadoop.security.");

  /** Read once, by the first thread that needs them. */
  private static final class Known {
    private static final HdfsSettings SETTINGS = HdfsSettings.read();
  }

  private final Configuration conf;
  private final HdfsSettings settings = Known.SETTINGS;
  private @Nullable Configuration defaults;

  /**
   * @param conf of this NameNode alone, where several are configured
   */
  public SettingsCheck(Configuration conf) {
    this.conf = conf;
  }

  /** Reads the list of settings. Any thread; another one that needs the list waits for it. */
  public static void load() {
    Known.SETTINGS.all();
  }

  /**
   * @throws IOException with a sentence for each setting that promises protection which this
   *     NameNode does not give
   */
  public void requireHonesty() throws IOException {
    List<String> sentences = new ArrayList<>();
    boolean isKerberos = KerberosLogin.isWanted(conf);
    for (HdfsSetting setting : settings.all()) {
      if (setting.verdict() == Verdict.REFUSED
          && !(isKerberos && OF_KERBEROS.contains(setting.key()))) {
        String value = conf.getTrimmed(setting.key(), "");
        if (!setting.isHarmless(value)) {
          sentences.add(refusal(setting, value));
        }
      }
    }
    TokenSettings tokens = TokenSettings.of(conf);
    if (tokens.encryptsData() && !tokens.isEnabled()) {
      sentences.add(
          DFSConfigKeys.DFS_ENCRYPT_DATA_TRANSFER_KEY
              + " is 'true', which takes block tokens. Set "
              + DFSConfigKeys.DFS_BLOCK_ACCESS_TOKEN_ENABLE_KEY
              + " to true in the configuration of the NameNode and of DataNodes");
    }
    if (sentences.isEmpty()) {
      KerberosLogin.requireTokens(conf);
    } else {
      throw new IOException(String.join("\n", sentences));
    }
  }

  private static String refusal(HdfsSetting setting, String value) {
    return setting.key()
        + " is '"
        + value
        + "', which this NameNode does not do: "
        + setting.remark()
        + ". To start without that protection, "
        + (setting.harmless().isEmpty()
            ? "remove it from"
            : "set it to " + setting.harmless().get(0) + " in")
        + " the configuration";
  }

  /** One line about what the site has set and this NameNode does not follow; empty for nothing. */
  public Optional<String> warning() {
    TreeSet<String> ignored = new TreeSet<>();
    TreeSet<String> unknown = new TreeSet<>();
    for (Map.Entry<String, String> entry : conf) {
      String name = entry.getKey();
      if (isOfTheSite(name)) {
        Optional<HdfsSetting> setting = settings.find(name);
        if (isMisspelled(name, setting)) {
          unknown.add(name);
        } else if (setting.isPresent()
            && setting.get().verdict() == Verdict.WARNED
            && !isDefault(name)) {
          ignored.add(name);
        }
      }
    }
    if (ignored.isEmpty() && unknown.isEmpty()) {
      return Optional.empty();
    }
    return Optional.of(
        (ignored.isEmpty()
                ? ""
                : "Settings that this NameNode does not follow: "
                    + String.join(", ", ignored)
                    + ". ")
            + (unknown.isEmpty()
                ? ""
                : "Settings that are not known here: " + String.join(", ", unknown) + ". ")
            + "See docs/hdfs-settings.md");
  }

  /** Whether nothing is said of a name, unless by a pattern that covers much else. */
  private boolean isMisspelled(String name, Optional<HdfsSetting> setting) {
    return OF_A_NAMENODE.stream()
            .filter(name::startsWith)
            .anyMatch(
                prefix -> setting.isEmpty() || setting.get().key().length() <= prefix.length())
        && !settings.isOfOneNameNode(name);
  }

  private boolean isOfTheSite(String name) {
    String[] sources = conf.getPropertySources(name);
    return sources != null && sources.length > 0 && !sources[sources.length - 1].endsWith(DEFAULTS);
  }

  /** Whether it says what would hold anyway. */
  private boolean isDefault(String name) {
    String value = conf.getTrimmed(name, "");
    Configuration asIfUnset = new Configuration(conf);
    asIfUnset.set(name, defaults().getRaw(name) == null ? "" : defaults().getRaw(name));
    String usual = asIfUnset.getTrimmed(name, "");
    return value.equalsIgnoreCase(usual) || isSameNumber(value, usual);
  }

  /** Read only where a site has set something unusual. */
  private Configuration defaults() {
    if (defaults == null) {
      defaults = new Configuration(false);
      defaults.addResource("core-default.xml");
      defaults.addResource("hdfs-default.xml");
    }
    return defaults;
  }

  private static boolean isSameNumber(String one, String other) {
    try {
      return number(one).compareTo(number(other)) == 0;
    } catch (NumberFormatException e) {
      return false; // one is none
    }
  }

  /** As Java reads a float or a double, which may end in f or d. */
  private static BigDecimal number(String text) {
    return new BigDecimal(
        text.matches(".*[0-9.][fFdD]") ? text.substring(0, text.length() - 1) : text);
  }
}
