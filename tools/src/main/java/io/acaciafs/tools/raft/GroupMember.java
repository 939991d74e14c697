package io.acaciafs.tools.raft;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.acaciafs.tools.common.CommandFailure;
import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.URI;
import java.net.URLConnection;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.ha.HAServiceProtocol;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.DFSUtil;
import org.apache.hadoop.hdfs.DFSUtilClient;
import org.apache.hadoop.hdfs.tools.NNHAServiceTarget;
import org.apache.hadoop.hdfs.web.URLConnectionFactory;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.authentication.client.AuthenticationException;

/**
 * A NameNode of the configured nameservice, as others reach it. Immutable; methods block, for a few
 * seconds at most.
 */
final class GroupMember {
  private static final int TIMEOUT_MS = 5_000;
  private static final int TRANSITION_TIMEOUT_MS = 30_000;
  private static final String BEAN = "/jmx?qry=Hadoop:service=NameNode,name=Replication";

  private final Configuration conf;
  private final String nameservice;
  private final String name;

  private GroupMember(Configuration conf, String nameservice, String name) {
    this.conf = conf;
    this.nameservice = nameservice;
    this.name = name;
  }

  /**
   * All of the nameservice, by name.
   *
   * @throws CommandFailure when the settings name none
   */
  static List<GroupMember> all(Configuration conf) throws CommandFailure {
    List<GroupMember> members = new ArrayList<>();
    for (String nameservice : DFSUtilClient.getNameServiceIds(conf)) {
      for (String name : DFSUtilClient.getNameNodeIds(conf, nameservice)) {
        members.add(new GroupMember(conf, nameservice, name));
      }
    }
    if (members.isEmpty()) {
      throw new CommandFailure(
          "The settings name no group of NameNodes: dfs.nameservices and dfs.ha.namenodes, see"
              + " docs/ha.md");
    }
    return members;
  }

  String name() {
    return name;
  }

  private String setting(String key) {
    return conf.getTrimmed(DFSUtil.addKeySuffixes(key, nameservice, name), "");
  }

  /** Where clients reach it. */
  String address() {
    return setting(DFSConfigKeys.DFS_NAMENODE_RPC_ADDRESS_KEY);
  }

  /**
   * What it says of its part in the group.
   *
   * @throws IOException when it does not answer
   */
  JsonNode replication() throws IOException {
    UserGroupInformation.setConfiguration(conf);
    URLConnectionFactory factory =
        URLConnectionFactory.newDefaultURLConnectionFactory(TIMEOUT_MS, TIMEOUT_MS, conf);
    try {
      URLConnection connection =
          factory.openConnection(web().toURL(), UserGroupInformation.isSecurityEnabled());
      try (InputStream answer = connection.getInputStream()) {
        JsonNode beans = new ObjectMapper().readTree(answer).path("beans");
        if (beans.isEmpty()) {
          throw new IOException("It has no part in a group: its engine is not raft");
        }
        return beans.get(0);
      } finally {
        ((HttpURLConnection) connection).disconnect();
      }
    } catch (AuthenticationException e) {
      throw new IOException(e);
    } finally {
      factory.destroy();
    }
  }

  /** By HTTPS where dfs.http.policy wants that alone. */
  private URI web() {
    String scheme = DFSUtil.getHttpClientScheme(conf);
    String key =
        scheme.equals("https")
            ? DFSConfigKeys.DFS_NAMENODE_HTTPS_ADDRESS_KEY
            : DFSConfigKeys.DFS_NAMENODE_HTTP_ADDRESS_KEY;
    return URI.create(scheme + "://" + setting(key) + BEAN);
  }

  /** Asks it to lead, or to have another one lead. */
  HAServiceProtocol service() throws IOException {
    return new NNHAServiceTarget(conf, nameservice, name).getProxy(conf, TRANSITION_TIMEOUT_MS);
  }
}
