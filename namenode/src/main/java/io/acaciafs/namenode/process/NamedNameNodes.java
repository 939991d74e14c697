package io.acaciafs.namenode.process;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.ha.HAServiceProtocol.HAServiceState;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.DFSUtil;
import org.apache.hadoop.hdfs.NameNodeProxies;
import org.apache.hadoop.hdfs.protocol.ClientProtocol;
import org.apache.hadoop.ipc.RPC;
import org.apache.hadoop.security.UserGroupInformation;
import org.jspecify.annotations.Nullable;

/**
 * The NameNodes of a nameservice by their names, for requests that one of several can do, see
 * {@link ServingNameNode}. Immutable.
 */
public final class NamedNameNodes {
  private static final int STATE_TIMEOUT_MS = 5_000;

  private final Configuration conf;
  private final Map<String, InetSocketAddress> addresses;

  private NamedNameNodes(Configuration conf, Map<String, InetSocketAddress> addresses) {
    this.conf = conf;
    this.addresses = addresses;
  }

  /** A NameNode that answers. */
  private record Answering(String name, HAServiceState state) {
    boolean leads() {
      return state == HAServiceState.ACTIVE;
    }
  }

  /** Those that the settings name, in their order. */
  public static NamedNameNodes of(Configuration conf) throws IOException {
    Map<String, InetSocketAddress> addresses = new LinkedHashMap<>();
    for (Map<String, InetSocketAddress> ofService :
        DFSUtil.getNNServiceRpcAddressesForCluster(conf).values()) {
      ofService.forEach(
          (name, address) -> addresses.put(name == null ? address.getHostString() : name, address));
    }
    return new NamedNameNodes(conf, addresses);
  }

  /**
   * Asks one.
   *
   * @return what it says
   * @throws IOException what it says against it, or that it is not there
   */
  public String ask(String name, String identifier, String... arguments) throws IOException {
    InetSocketAddress address = addresses.get(name);
    if (address == null) {
      throw new IOException(name + " is none of the NameNodes " + addresses.keySet());
    }
    return ServingNameNode.askOne(conf, address, identifier, arguments)
        + " "
        + name
        + " made it, on its machine "
        + address.getHostString()
        + ".";
  }

  /**
   * Asks for what each of them can do, until one does: those that stand by, so that the one that
   * leads has less to do, and of these first the one of this machine; in the end the one that
   * leads.
   *
   * @return what it says
   * @throws IOException what one says against it, or that none can do it now
   */
  public String askStandbyFirst(String identifier, String... arguments) throws IOException {
    IOException failure = new IOException("None of the NameNodes " + addresses + " answers");
    for (Answering nameNode : answering()) {
      try {
        return ask(nameNode.name(), identifier, arguments);
      } catch (IOException e) {
        if (!ServingNameNode.standsBy(e) && !isAway(e)) {
          throw e;
        }
        e.addSuppressed(failure);
        failure = e;
      }
    }
    throw failure;
  }

  /** Whether it is gone, or was not reached; then another one may do it. */
  private static boolean isAway(IOException failure) {
    return failure.getClass().getPackageName().equals("java.net");
  }

  private List<Answering> answering() {
    String own = conf.getTrimmed(DFSConfigKeys.DFS_HA_NAMENODE_ID_KEY, "");
    List<Answering> answering = new ArrayList<>();
    addresses.forEach(
        (name, address) -> {
          HAServiceState state = state(address);
          if (state != null) {
            answering.add(new Answering(name, state));
          }
        });
    answering.sort(
        Comparator.comparing(Answering::leads).thenComparing(other -> !other.name().equals(own)));
    return answering;
  }

  /** Null where it does not answer soon. */
  private @Nullable HAServiceState state(InetSocketAddress address) {
    Configuration impatient = new Configuration(conf);
    impatient.setInt("ipc.client.connect.max.retries", 0);
    impatient.setInt("ipc.client.connect.max.retries.on.timeouts", 0);
    impatient.setInt("ipc.client.connect.timeout", STATE_TIMEOUT_MS);
    impatient.setInt("ipc.client.rpc-timeout.ms", STATE_TIMEOUT_MS);
    try {
      ClientProtocol nameNode =
          NameNodeProxies.createNonHAProxy(
                  impatient,
                  address,
                  ClientProtocol.class,
                  UserGroupInformation.getCurrentUser(),
                  false)
              .getProxy();
      try {
        return nameNode.getHAServiceState();
      } finally {
        RPC.stopProxy(nameNode);
      }
    } catch (IOException e) {
      return null;
    }
  }
}
