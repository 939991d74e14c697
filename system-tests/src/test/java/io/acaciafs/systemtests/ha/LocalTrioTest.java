package io.acaciafs.systemtests.ha;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.acaciafs.systemtests.harness.AcaciaCommand;
import io.acaciafs.systemtests.harness.Await;
import io.acaciafs.systemtests.harness.Browser;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.PrintStream;
import java.net.ConnectException;
import java.net.HttpURLConnection;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.NameNodeProxies;
import org.apache.hadoop.hdfs.tools.DFSck;
import org.apache.hadoop.ipc.RefreshCallQueueProtocol;
import org.apache.hadoop.net.NetUtils;
import org.apache.hadoop.security.RefreshUserMappingsProtocol;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.authorize.RefreshAuthorizationPolicyProtocol;
import org.apache.hadoop.tools.GetUserMappingsProtocol;
import org.apache.hadoop.util.ToolRunner;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code acacia standalone --namenodes 3}. */
class LocalTrioTest {
  private static final org.apache.hadoop.fs.Path DIRECTORY =
      new org.apache.hadoop.fs.Path("/a/directory");

  private static final Duration LIMIT = Duration.ofMinutes(2);
  private static final List<String> NAMES = List.of("nn1", "nn2", "nn3");

  @TempDir private Path folder;

  @Test
  void threeNameNodesStartWithOneCommandAndKeepWhatTheyHave() throws Exception {
    try (AcaciaCommand standalone = start("first");
        FileSystem fs = clientAfter(standalone, "first")) {
      assertThat(fs.mkdirs(DIRECTORY)).isTrue();
      assertEachSaysWhatItIs(fs.getConf());
      assertStoresAreTheSame();
      standalone.terminate(); // which ends the NameNodes too
    }
    try (AcaciaCommand standalone = start("second");
        FileSystem fs = clientAfter(standalone, "second")) {
      assertThat(fs.exists(DIRECTORY)).isTrue();
      standalone.terminate();
    }
  }

  /** By the settings of a client, which are of no NameNode. */
  private void assertStoresAreTheSame() throws Exception {
    Configuration site = new Configuration(false);
    site.addResource(folder.resolve("trio/conf/hdfs-site.xml").toUri().toURL());
    List<String> arguments = new ArrayList<>(List.of("check", "--members-only"));
    site.forEach(setting -> arguments.add("-D" + setting.getKey() + "=" + setting.getValue()));
    try (AcaciaCommand check =
        AcaciaCommand.start(
            folder.resolve("check.log"), List.of(), arguments.toArray(String[]::new))) {
      assertThat(check.awaitExit(LIMIT)).as(check.output()).isZero();
      assertThat(check.output())
          .contains("The store is HEALTHY")
          .doesNotContain("NOT-CHECKED", "DAMAGE");
    }
  }

  private void assertEachSaysWhatItIs(Configuration conf) throws Exception {
    String leader = "";
    List<String> standbys = new ArrayList<>();
    for (String name : NAMES) {
      Await.until(name + " hears of a leader", LIMIT, () -> isHealthy(conf, name));
      if (read(conf, name, "/health").get("role").asText().equals("active")) {
        leader = name;
      } else {
        standbys.add(name);
      }
    }
    assertThat(standbys).hasSize(2);
    String leads = leader;
    Await.until(
        "answers of all to the leader",
        LIMIT,
        () -> read(conf, leads, "/health").get("warnings").isEmpty());
    JsonNode health = read(conf, leader, "/health");
    assertThat(health.get("status").asText()).isEqualTo("ok");
    assertThat(health.get("followers").findValuesAsText("name"))
        .containsExactlyInAnyOrderElementsOf(standbys);
    assertThat(text(conf, leader, "/metrics"))
        .contains("acacia_ha_leads 1", "acacia_ha_follower_entries_behind{follower=\"")
        .contains("acacia_safe_mode 0");
    String standby = standbys.get(0);
    JsonNode status = read(conf, standby, "/api/status");
    assertThat(status.get("leader").asText()).isEqualTo(leader);
    assertThat(status.get("leaderPage").asText()).isEqualTo(url(conf, leader, "/"));
    assertThat(status.get("term").asLong()).isEqualTo(health.get("term").asLong());
    assertThat(text(conf, standby, "/metrics")).contains("acacia_ha_leads 0", "jvm_threads");
    assertPages(conf, leader, standby, health);
    assertAnswersAdministrators(conf, standby);
    assertWebHdfsGoesOnToTheLeader(conf, standby, leader);
    assertFsckFindsTheLeader(conf, standby, leader);
  }

  /** One that stands by has no fsck. */
  private static void assertFsckFindsTheLeader(Configuration conf, String standby, String leader)
      throws Exception {
    Configuration standbyFirst = new Configuration(conf);
    standbyFirst.set("dfs.ha.namenodes.acacia", standby + "," + leader);
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    DFSck fsck = new DFSck(standbyFirst, new PrintStream(out, true, UTF_8));
    assertThat(ToolRunner.run(fsck, new String[] {"/"})).as(out.toString(UTF_8)).isZero();
    assertThat(out.toString(UTF_8)).contains("The filesystem under path '/' is HEALTHY");
  }

  private static void assertWebHdfsGoesOnToTheLeader(
      Configuration conf, String standby, String leader) throws Exception {
    Configuration asksStandbyFirst = new Configuration(conf);
    asksStandbyFirst.set("dfs.ha.namenodes.acacia", standby + "," + leader);
    asksStandbyFirst.setBoolean("dfs.client.failover.random.order", false);
    try (FileSystem web =
        FileSystem.newInstance(URI.create("webhdfs://acacia"), asksStandbyFirst)) {
      assertThat(web.getFileStatus(new org.apache.hadoop.fs.Path("/")).isDirectory()).isTrue();
    }
  }

  /** What a browser shows, where one is installed. */
  private void assertPages(Configuration conf, String leader, String standby, JsonNode health)
      throws Exception {
    String term = health.get("term").asText();
    String why = health.get("lastFailover").get("why").asText();
    String because = why.isEmpty() ? "" : ": " + Pattern.quote(why);
    if (!Browser.isInstalled()) {
      return; // the rest of the test needs none
    }
    try (Browser browser = Browser.startOrSkip(folder)) {
      String caughtUp =
          "<td class=\"name\">"
              + standby
              + "</td><td class=\"\">stands by</td><td class=\"number\">0</td>";
      assertThat(open(browser, url(conf, leader, "/index.html"), caughtUp, "one-of-three-leader"))
          .contains("<td class=\"name\">" + leader + "</td><td class=\"\">leads</td>")
          .containsPattern("<td class=\"number\">\\d+ (ms|s) ago</td>")
          .contains("<dt>Term</dt><dd class=\"\">" + term + "</dd>")
          .contains("<dt>Applied batch</dt>", "<dt>Changes of the leader</dt>")
          .containsPattern("Last failover: [-0-9: ]+ UTC, .*to " + leader + "( again)?" + because);
      String hasAll = "<dt>Entries behind</dt><dd class=\"good\">0</dd>";
      assertThat(
              open(
                  browser,
                  url(conf, standby, "/index.html#/store"),
                  hasAll,
                  "one-of-three-standby"))
          .contains("This NameNode stands by")
          .contains("<a href=\"" + url(conf, leader, "/") + "\">" + leader + "</a>")
          .contains("<dt>State</dt><dd class=\"good\">standby</dd>")
          .contains("<dt>Term</dt><dd class=\"\">" + term + "</dd>")
          .doesNotContain("<table>", "not known", "undefined", "NaN");
    }
  }

  private static String open(Browser browser, String url, String html, String name)
      throws Exception {
    browser.open(url).awaitHtml(html).glance(name);
    assertThat(browser.complaints()).isEmpty();
    return browser.html();
  }

  private static void assertAnswersAdministrators(Configuration conf, String name)
      throws Exception {
    InetSocketAddress address =
        NetUtils.createSocketAddr(conf.get("dfs.namenode.rpc-address.acacia." + name));
    UserGroupInformation self = UserGroupInformation.getCurrentUser();
    NameNodeProxies.createNonHAProxy(conf, address, RefreshUserMappingsProtocol.class, self, false)
        .getProxy()
        .refreshUserToGroupsMappings();
    NameNodeProxies.createNonHAProxy(conf, address, RefreshCallQueueProtocol.class, self, false)
        .getProxy()
        .refreshCallQueue();
    assertThat(
            NameNodeProxies.createNonHAProxy(
                    conf, address, GetUserMappingsProtocol.class, self, false)
                .getProxy()
                .getGroupsForUser(self.getShortUserName()))
        .isEqualTo(self.getGroupNames());
    assertThatThrownBy(
            () ->
                NameNodeProxies.createNonHAProxy(
                        conf, address, RefreshAuthorizationPolicyProtocol.class, self, false)
                    .getProxy()
                    .refreshServiceAcl())
        .hasMessageContaining("Service Level Authorization not enabled!");
  }

  private static String url(Configuration conf, String name, String path) {
    return "http://" + conf.get("dfs.namenode.http-address.acacia." + name) + path;
  }

  private static boolean isHealthy(Configuration conf, String name) throws Exception {
    HttpURLConnection connection =
        (HttpURLConnection) URI.create(url(conf, name, "/health")).toURL().openConnection();
    try {
      return connection.getResponseCode() == HttpURLConnection.HTTP_OK;
    } catch (ConnectException e) {
      return false; // its pages come up after it serves, and anew with each role
    } finally {
      connection.disconnect();
    }
  }

  private static String text(Configuration conf, String name, String path) throws Exception {
    try (InputStream answer = URI.create(url(conf, name, path)).toURL().openStream()) {
      return new String(answer.readAllBytes(), UTF_8);
    }
  }

  private static JsonNode read(Configuration conf, String name, String path) throws Exception {
    return new ObjectMapper().readTree(text(conf, name, path));
  }

  private AcaciaCommand start(String name) throws Exception {
    return AcaciaCommand.start(
        folder.resolve(name + ".log"),
        List.of(),
        "standalone",
        "--namenodes=3",
        "--dir=" + folder.resolve("trio"),
        "--port=0",
        "--http-port=0",
        "--datanode-port=0",
        "--datanode-ipc-port=0",
        "--datanode-http-port=0",
        "--ready-file=" + folder.resolve(name));
  }

  private FileSystem clientAfter(AcaciaCommand standalone, String name) throws Exception {
    String address = standalone.awaitReady(folder.resolve(name)).getProperty("fs.defaultFS");
    Configuration conf = new HdfsConfiguration();
    conf.addResource(folder.resolve("trio/conf/hdfs-site.xml").toUri().toURL());
    return FileSystem.newInstance(URI.create(address), conf);
  }
}
