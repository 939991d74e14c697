package io.acaciafs.namenode.ha;

import java.net.InetSocketAddress;
import java.net.URI;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.DFSUtil;
import org.apache.hadoop.http.HttpConfig;
import org.apache.hadoop.net.NetUtils;
import org.jspecify.annotations.Nullable;

/**
 * Where the NameNodes of this nameservice are reached, as the site says. Its files are read again
 * for a NameNode that was added to the group after the start, at most once a second. Safe for use
 * by many threads.
 */
public final class MemberAddresses {
  private static final long READ_AGAIN_MS = 1_000;

  private final Supplier<Configuration> files;
  private final Function<String, InetSocketAddress> resolver;
  private final LongSupplier elapsedMs;
  private final @Nullable String nameservice;
  private final HttpConfig.Policy policy;

  /** As each setting was resolved last: names of members stay while the DNS fails. */
  private final Map<String, InetSocketAddress> resolved = new ConcurrentHashMap<>();

  private volatile Configuration conf;
  private volatile long readMs;

  /**
   * @param files the site as its files say it now
   * @param elapsedMs never goes back
   */
  public MemberAddresses(
      Configuration site, Supplier<Configuration> files, LongSupplier elapsedMs) {
    this(site, files, elapsedMs, NetUtils::createSocketAddr);
  }

  /**
   * @param resolver of host:port; gives an address that is not resolved where it cannot
   */
  MemberAddresses(
      Configuration site,
      Supplier<Configuration> files,
      LongSupplier elapsedMs,
      Function<String, InetSocketAddress> resolver) {
    this.files = files;
    this.resolver = resolver;
    this.elapsedMs = elapsedMs;
    conf = new Configuration(site);
    readMs = elapsedMs.getAsLong();
    nameservice = DFSUtil.getNamenodeNameServiceId(conf);
    policy = DFSUtil.getHttpPolicy(conf);
  }

  private @Nullable String setting(String key, String member) {
    return conf.getTrimmed(DFSUtil.addKeySuffixes(key, nameservice, member));
  }

  private boolean readsAgain() {
    long nowMs = elapsedMs.getAsLong();
    if (nowMs - readMs < READ_AGAIN_MS) {
      return false;
    }
    readMs = nowMs;
    conf = files.get();
    return true;
  }

  /** The members that the site names. */
  public Collection<String> names() {
    return conf.getTrimmedStringCollection(
        DFSUtil.addKeySuffixes(DFSConfigKeys.DFS_HA_NAMENODES_KEY_PREFIX, nameservice));
  }

  /** Where a member takes calls; null where the site does not say so. */
  public @Nullable InetSocketAddress rpc(String member) {
    String address = setting(DFSConfigKeys.DFS_NAMENODE_RPC_ADDRESS_KEY, member);
    if (address == null && readsAgain()) {
      address = setting(DFSConfigKeys.DFS_NAMENODE_RPC_ADDRESS_KEY, member);
    }
    return address == null ? null : resolve(address);
  }

  private InetSocketAddress resolve(String address) {
    InetSocketAddress now = resolver.apply(address);
    if (now.isUnresolved()) {
      return resolved.getOrDefault(address, now);
    }
    resolved.put(address, now);
    return now;
  }

  /** Where browsers reach the other members, by their names: those that the site tells of. */
  public Map<String, URI> otherPages() {
    String self = conf.getTrimmed(DFSConfigKeys.DFS_HA_NAMENODE_ID_KEY, "");
    Map<String, URI> pages = new LinkedHashMap<>();
    for (String name : names()) {
      URI page = name.equals(self) ? null : page(name);
      if (page != null) {
        pages.put(name, page);
      }
    }
    return pages;
  }

  /** Where browsers reach a member; null where the site does not say so. */
  public @Nullable URI page(String member) {
    boolean isPlain = policy.isHttpEnabled();
    String key =
        isPlain
            ? DFSConfigKeys.DFS_NAMENODE_HTTP_ADDRESS_KEY
            : DFSConfigKeys.DFS_NAMENODE_HTTPS_ADDRESS_KEY;
    int defaultPort =
        isPlain
            ? DFSConfigKeys.DFS_NAMENODE_HTTP_PORT_DEFAULT
            : DFSConfigKeys.DFS_NAMENODE_HTTPS_PORT_DEFAULT;
    InetSocketAddress calls = rpc(member);
    String given = setting(key, member);
    if (given == null && calls == null) {
      return null;
    }
    InetSocketAddress listens =
        given == null
            ? InetSocketAddress.createUnresolved("0.0.0.0", defaultPort)
            : NetUtils.createSocketAddr(given, defaultPort);
    boolean isAny = listens.getHostString().equals("0.0.0.0");
    String host = isAny && calls != null ? calls.getHostString() : listens.getHostString();
    return URI.create(
        (isPlain ? "http://" : "https://")
            + NetUtils.getHostPortString(
                InetSocketAddress.createUnresolved(host, listens.getPort()))
            + "/");
  }
}
