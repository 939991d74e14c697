package io.acaciafs.namenode.settings;

import java.util.Arrays;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.jspecify.annotations.Nullable;

/**
 * Has this NameNode believe only NameNodes where it calls one: with Kerberos, and unless the site
 * names a pattern of principals, a server has to show the principal of a NameNode of the settings.
 * Hadoop's client takes any service of the KDC then. The files of settings are read again for
 * NameNodes that were added, at most once a second. Safe for use by many threads; may look up names
 * of hosts.
 */
public final class CalledNameNodes {
  private static final String PATTERN =
      DFSConfigKeys.DFS_NAMENODE_KERBEROS_PRINCIPAL_KEY + ".pattern";

  private static final long READ_AGAIN_MS = 1_000;

  private final Configuration conf;
  private final Supplier<Configuration> files;
  private final LongSupplier elapsedMs;
  private final boolean isWanted;
  private @Nullable String pattern;
  private long readMs;

  /**
   * @param files the site as its files say it now
   * @param elapsedMs never goes back
   */
  public CalledNameNodes(
      Configuration conf, Supplier<Configuration> files, LongSupplier elapsedMs) {
    this.conf = conf;
    this.files = files;
    this.elapsedMs = elapsedMs;
    isWanted = KerberosLogin.isWanted(conf) && !namesPattern(conf);
  }

  /** HDFS's own files name one too. */
  private static boolean namesPattern(Configuration conf) {
    String[] sources = conf.getPropertySources(PATTERN);
    return sources != null && Arrays.stream(sources).noneMatch("hdfs-default.xml"::equals);
  }

  /** The settings of a client, for one connection. */
  public Configuration believing(Configuration client) {
    if (!isWanted) {
      return client;
    }
    Configuration own = new Configuration(client);
    own.set(PATTERN, pattern());
    return own;
  }

  private synchronized String pattern() {
    String known = pattern;
    long nowMs = elapsedMs.getAsLong();
    if (known == null || nowMs - readMs >= READ_AGAIN_MS) {
      Set<String> principals = new TreeSet<>(NameNodePrincipals.of(conf));
      principals.addAll(NameNodePrincipals.of(files.get()));
      known =
          principals.stream()
              .map(principal -> principal.replaceAll("[\\\\*?!,\\[\\]{}^]", "\\\\$0"))
              .collect(Collectors.joining(",", "{", "}"));
      pattern = known;
      readMs = nowMs;
    }
    return known;
  }
}
