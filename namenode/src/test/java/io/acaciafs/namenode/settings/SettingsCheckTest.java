package io.acaciafs.namenode.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a site has set and does not get is refused or named, never ignored in silence. */
class SettingsCheckTest {
  private final Configuration conf = new HdfsConfiguration();

  private Optional<String> warning() {
    return new SettingsCheck(conf).warning();
  }

  @ParameterizedTest
  @CsvSource({
    "hadoop.security.authentication, kerberos, set it to simple in",
    "hadoop.rpc.protection, privacy, set it to authentication in",
    "hadoop.rpc.protection, 'authentication,integrity', set it to authentication in",
    "hadoop.security.saslproperties.resolver.class, com.example.Resolver, remove it from",
    "dfs.block.access.token.enable, true, set it to false in",
    "dfs.encrypt.data.transfer, true, set it to false in",
    "dfs.data.transfer.protection, integrity, remove it from",
    "dfs.namenode.send.qop.enabled, true, set it to false in",
    "dfs.namenode.inode.attributes.provider.class, org.example.Ranger, remove it from",
    "dfs.namenode.authorization.provider.class, org.example.Sentry, remove it from",
    "dfs.namenode.audit.loggers, 'default,com.example.Audit', set it to default in",
  })
  void aPromiseThatIsNotKeptIsRefused(String key, String value, String advice) {
    conf.set(key, " " + value + " ");
    assertThatThrownBy(() -> new SettingsCheck(conf).requireHonesty())
        .isInstanceOf(IOException.class)
        .hasMessageStartingWith(key + " is '" + value + "', which this NameNode does not do: ")
        .hasMessageEndingWith("To start without that protection, " + advice + " the configuration");
  }

  @ParameterizedTest
  @CsvSource({
    "hadoop.security.authentication, SIMPLE",
    "hadoop.rpc.protection, ' Authentication '",
    "dfs.encrypt.data.transfer, False",
    "dfs.data.transfer.protection, ' '",
    "dfs.namenode.inode.attributes.provider.class, ''",
    "dfs.namenode.audit.loggers, default",
    "dfs.http.policy, HTTPS_ONLY",
    "dfs.encrypt.data.transfer.algorithm, rc4",
  })
  void whatPromisesNothingIsNot(String key, String value) {
    conf.set(key, value);
    assertThatCode(() -> new SettingsCheck(conf).requireHonesty()).doesNotThrowAnyException();
    assertThat(warning()).isEmpty();
  }

  @Test
  void eachBrokenPromiseHasItsSentence() {
    conf.set("dfs.encrypt.data.transfer", "true");
    conf.set("dfs.block.access.token.enable", "true");
    assertThatThrownBy(() -> new SettingsCheck(conf).requireHonesty())
        .message()
        .hasLineCount(2)
        .contains("dfs.encrypt.data.transfer is 'true'", "dfs.block.access.token.enable is 'true'");
  }

  @Test
  void hdfssDefaultsAreFine() {
    assertThatCode(() -> new SettingsCheck(conf).requireHonesty()).doesNotThrowAnyException();
    assertThat(warning()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "dfs.namenode.handler.count, 10",
    "dfs.namenode.handler.count, ' 10 '",
    "dfs.namenode.invalidate.work.pct.per.iteration, 0.32",
    "dfs.namenode.fslock.fair, TRUE",
    "dfs.namenode.edits.dir, '${dfs.namenode.name.dir}'",
    "dfs.namenode.plugins, ''",
    "dfs.namenode.startup.delay.block.deletion.sec, 0",
    // honoured, others' or foreign
    "dfs.replication, 2",
    "dfs.client.failover.max.attempts, 3",
    "dfs.datanode.max.transfer.threads, 8192",
    "dfs.namenode.rpc-address.ns1.nn1, host:8020",
    "dfs.namenode.shared.edits.dir.ns1, qjournal://a:8485/ns1",
    "hadoop.security.group.mapping.provider.ldap, org.example.Groups",
    "com.example.setting, 1",
  })
  void whatIsFollowedOrAsUsualOrOfOthersIsNotNamed(String key, String value) {
    conf.set(key, value);
    assertThat(warning()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "dfs.namenode.handler.count",
        "dfs.namenode.shared.edits.dir",
        "dfs.namenode.edits.dir",
        "ipc.8020.callqueue.impl",
        "hadoop.security.key.provider.path",
        "dfs.namenode.snapshot.max.limit",
      })
  void whatIsNotFollowedIsNamed(String key) {
    conf.set(key, "123");
    assertThat(warning())
        .contains(
            "Settings that this NameNode does not follow: " + key + ". See docs/hdfs-settings.md");
  }

  @Test
  void oneLineNamesThemAllAndWhatNobodyKnows() {
    conf.set("dfs.namenode.handler.count", "200");
    conf.set("dfs.image.compress", "true");
    conf.set("dfs.namenode.acl.enabled", "false");
    conf.set("fs.protected.directory", "/user");
    assertThat(warning())
        .contains(
            "Settings that this NameNode does not follow: dfs.image.compress,"
                + " dfs.namenode.handler.count. Settings that are not known here:"
                + " dfs.namenode.acl.enabled, fs.protected.directory. See docs/hdfs-settings.md");
  }

  @Test
  void onlyTheSitesOwnFilesCount() {
    Configuration site = new Configuration(false);
    site.addResource("hdfs-default.xml");
    site.addResource(xml("dfs.namenode.handler.count", "64"), "hdfs-site.xml");
    assertThat(new SettingsCheck(site).warning())
        .hasValueSatisfying(line -> assertThat(line).contains(": dfs.namenode.handler.count. "));

    Configuration defaults = new Configuration(false);
    defaults.addResource(xml("dfs.namenode.handler.count", "64"), "hdfs-default.xml");
    assertThat(new SettingsCheck(defaults).warning()).isEmpty();
  }

  private static ByteArrayInputStream xml(String key, String value) {
    return new ByteArrayInputStream(
        ("<configuration><property><name>"
                + key
                + "</name><value>"
                + value
                + "</value></property></configuration>")
            .getBytes(StandardCharsets.UTF_8));
  }
}
