package io.acaciafs.bench.ha;

import io.acaciafs.bench.compare.Contestant;
import io.acaciafs.bench.compare.Listening;
import io.acaciafs.bench.compare.Site;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.ha.HAServiceProtocol.HAServiceState;
import org.apache.hadoop.ha.HAServiceProtocol.RequestSource;
import org.apache.hadoop.ha.HAServiceProtocol.StateChangeRequestInfo;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.tools.NNHAServiceTarget;
import org.jspecify.annotations.Nullable;

/** The names and addresses of several NameNodes, as clients are configured to find them. */
final class Nameservice {
  private static final String NAME = "bench";
  private static final Duration LIMIT = Duration.ofMinutes(2);
  private static final int ASK_TIMEOUT_MS = 2_000;
  private static final int TRANSITION_TIMEOUT_MS = 30_000;
  private static final long LOOK_AGAIN_MS = 20;

  /** Read once: that takes so long that it would slow down what is measured meanwhile. */
  private static final Configuration DEFAULTS = defaults();

  private final Contestant contestant;
  private final Path folder;
  private final List<String> jvmOptions;
  private final Map<String, String> settings = new TreeMap<>();
  private final Map<String, InetSocketAddress> addresses = new TreeMap<>();

  /**
   * Chooses addresses.
   *
   * @param ids of the NameNodes
   */
  Nameservice(Contestant contestant, Path folder, List<String> jvmOptions, List<String> ids)
      throws IOException {
    this.contestant = contestant;
    this.folder = folder;
    this.jvmOptions = jvmOptions;
    settings.put("fs.defaultFS", "hdfs://" + NAME);
    settings.put("dfs.nameservices", NAME);
    settings.put("dfs.ha.namenodes." + NAME, String.join(",", ids));
    settings.put(
        "dfs.client.failover.proxy.provider." + NAME,
        "org.apache.hadoop.hdfs.server.namenode.ha.ConfiguredFailoverProxyProvider");
    settings.put("dfs.ha.fencing.methods", "shell(/bin/true)");
    for (String id : ids) {
      InetSocketAddress address = Listening.freeAddress();
      addresses.put(id, address);
      set("dfs.namenode.rpc-address", id, text(address));
      set("dfs.namenode.http-address", id, text(Listening.freeAddress()));
    }
  }

  static String text(InetSocketAddress address) {
    return address.getAddress().getHostAddress() + ":" + address.getPort();
  }

  /** For all NameNodes and clients. */
  void set(String key, String value) {
    settings.put(key, value);
  }

  /** Of one NameNode, for all to know. */
  void set(String key, String id, String value) {
    settings.put(key + "." + NAME + "." + id, value);
  }

  String name() {
    return NAME;
  }

  InetSocketAddress address(String id) {
    InetSocketAddress address = addresses.get(id);
    if (address == null) {
      throw new IllegalArgumentException(id);
    }
    return address;
  }

  /** Where a NameNode serves HTTP. */
  String http(String id) {
    return Objects.requireNonNull(settings.get("dfs.namenode.http-address." + NAME + "." + id), id);
  }

  /** A folder of its own for a program of one NameNode. */
  Site site(String id, String program) throws IOException {
    Map<String, String> all = new HashMap<>(settings);
    all.put("dfs.ha.namenode.id", id);
    return site(all, program, address(id));
  }

  /** A folder of its own for a program that is no NameNode. */
  Site site(String program, Map<String, String> more) throws IOException {
    Map<String, String> all = new HashMap<>(settings);
    all.putAll(more);
    return site(all, program, Listening.freeAddress());
  }

  private Site site(Map<String, String> all, String program, InetSocketAddress address)
      throws IOException {
    return Site.create(contestant, folder.resolve(program), address, jvmOptions, all);
  }

  private static Configuration defaults() {
    Configuration conf = new HdfsConfiguration();
    conf.size(); // reads them
    return conf;
  }

  /** What clients have. */
  Configuration client() {
    Configuration conf = new HdfsConfiguration(DEFAULTS);
    settings.forEach(conf::set);
    return conf;
  }

  /** Null when a NameNode does not answer. */
  private @Nullable HAServiceState state(String id) {
    Configuration conf = client();
    conf.setLong("ipc.client.connect.retry.interval", LOOK_AGAIN_MS); // for one that is dead
    try {
      return new NNHAServiceTarget(conf, NAME, id)
          .getProxy(conf, ASK_TIMEOUT_MS)
          .getServiceStatus()
          .getState();
    } catch (IOException e) {
      return null;
    }
  }

  /** Has a NameNode serve, and returns when it does. */
  void askToLead(String id) throws IOException {
    Configuration conf = client();
    new NNHAServiceTarget(conf, NAME, id)
        .getProxy(conf, TRANSITION_TIMEOUT_MS)
        .transitionToActive(new StateChangeRequestInfo(RequestSource.REQUEST_BY_USER));
  }

  /** Waits for a NameNode that serves, and names it. */
  String awaitActive() throws IOException {
    String[] active = {""};
    await(
        "A NameNode that serves",
        () -> {
          for (String id : addresses.keySet()) {
            if (state(id) == HAServiceState.ACTIVE) {
              active[0] = id;
            }
          }
          return !active[0].isEmpty();
        });
    return active[0];
  }

  /** Waits until a NameNode could take over. */
  void awaitStandby(String id) throws IOException {
    await("NameNode " + id, () -> state(id) == HAServiceState.STANDBY);
  }

  /** Waits until a NameNode answers. */
  void awaitAnswer(String id) throws IOException {
    await("NameNode " + id, () -> state(id) != null);
  }

  /** Another one than the one named. */
  String other(String id) {
    return addresses.keySet().stream().filter(each -> !each.equals(id)).findFirst().orElseThrow();
  }

  /** What is to come true. */
  @FunctionalInterface
  interface Condition {
    boolean holds() throws IOException;
  }

  static void await(String what, Condition condition) throws IOException {
    await(what, LIMIT, condition);
  }

  static void await(String what, Duration limit, Condition condition) throws IOException {
    long deadlineNs = System.nanoTime() + limit.toNanos();
    while (!condition.holds()) {
      if (System.nanoTime() - deadlineNs > 0) {
        throw new IOException(what + " was not there after " + limit.toSeconds() + " s");
      }
      sleep(LOOK_AGAIN_MS);
    }
  }

  static void sleep(long ms) throws IOException {
    try {
      TimeUnit.MILLISECONDS.sleep(ms);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while it waited");
    }
  }
}
