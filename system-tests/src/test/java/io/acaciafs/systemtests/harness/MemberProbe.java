package io.acaciafs.systemtests.harness;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.URLConnection;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.ha.HAServiceProtocol.HAServiceState;
import org.apache.hadoop.hdfs.NameNodeProxies;
import org.apache.hadoop.hdfs.protocol.ClientProtocol;
import org.apache.hadoop.net.NetUtils;
import org.apache.hadoop.security.UserGroupInformation;

/** Asks one NameNode of several what it is, for a short while. Stateless. */
final class MemberProbe {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final int LIMIT_MS = 2_000;
  private static final long LONGEST_SILENCE_MS = 1_000;

  private MemberProbe() {}

  /**
   * Null where it does not answer.
   *
   * @param address of its RPC
   */
  static HAServiceState state(Configuration client, String address) {
    Configuration conf = new Configuration(client);
    conf.setInt("ipc.client.connect.max.retries", 0);
    conf.setInt("ipc.client.rpc-timeout.ms", LIMIT_MS);
    try {
      ClientProtocol nameNode =
          NameNodeProxies.createNonHAProxy(
                  conf,
                  NetUtils.createSocketAddr(address),
                  ClientProtocol.class,
                  UserGroupInformation.getCurrentUser(),
                  false)
              .getProxy();
      return nameNode.getHAServiceState();
    } catch (IOException e) {
      return null;
    }
  }

  /**
   * How many followers have all that this one has; 0 where it does not lead.
   *
   * @param address of its HTTP
   */
  static int upToDateFollowers(String address) {
    int count = 0;
    for (JsonNode follower : health(address).path("followers")) {
      if (follower.path("entriesBehind").asLong() == 0
          && follower.path("silentMs").asLong() < LONGEST_SILENCE_MS) {
        count++;
      }
    }
    return count;
  }

  /** Empty where it does not answer. */
  private static JsonNode health(String address) {
    try {
      URLConnection connection =
          URI.create("http://" + address + "/health").toURL().openConnection();
      connection.setConnectTimeout(LIMIT_MS);
      connection.setReadTimeout(LIMIT_MS);
      try (InputStream answer = connection.getInputStream()) {
        return JSON.readTree(answer);
      }
    } catch (IOException e) {
      return JSON.createObjectNode();
    }
  }
}
