package io.acaciafs.kv.raft;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Looks at the addresses of members before one starts. Stateless. */
final class OwnAddress {
  private static final Logger LOG = LoggerFactory.getLogger(OwnAddress.class);

  private OwnAddress() {}

  /**
   * Makes sure that this process can listen where the others look for this member: another one may
   * have taken the same id, on this host or elsewhere. Names the others that have no address now;
   * they may have one later.
   *
   * @throws IOException with a sentence for people
   */
  static void require(RaftOptions options) throws IOException {
    InetSocketAddress own = new InetSocketAddress(options.host(), options.port());
    String what =
        "The address of " + options.self() + " in " + RaftConfigKeys.MEMBERS + ", " + address(own);
    if (own.isUnresolved()) {
      throw new IOException(what + ", does not resolve");
    }
    try (ServerSocket socket = new ServerSocket()) {
      socket.setReuseAddress(true);
      socket.bind(own);
    } catch (IOException e) {
      throw new IOException(
          what
              + ", cannot be taken by this process: "
              + e.getMessage()
              + ". Is another NameNode that has the same id, or another process, there?",
          e);
    }
    for (Map.Entry<String, String> member : options.members().entrySet()) {
      String address = member.getValue();
      if (new InetSocketAddress(RaftOptions.hostOf(address), options.port()).isUnresolved()) {
        LOG.warn(
            "The address of another member does not resolve, so it is out of reach member={}"
                + " address={}",
            member.getKey(),
            address);
      }
    }
  }

  private static String address(InetSocketAddress address) {
    return address.getHostString() + ":" + address.getPort();
  }
}
