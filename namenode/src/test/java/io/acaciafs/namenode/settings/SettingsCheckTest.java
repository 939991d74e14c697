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
    "hadoop.rpc.protection, privacy, set it to authentication in",
    "hadoop.rpc.protection, 'authentication,integrity', set it to authentication in",
    "hadoop.security.saslproperties.resolver.class, com.example.Resolver, remove it from",
    "dfs.data.transfer.protection, integrity, remove it from",
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
    "dfs.namenode.inode.attributes.provider.class, org.example.Ranger",
    "dfs.namenode.audit.loggers, default",
    "dfs.http.policy, HTTPS_ONLY",
    "dfs.encrypt.data.transfer.algorithm, rc4",
    "dfs.block.access.token.enable, true",
    "dfs.block.access.token.lifetime, 10",
    "dfs.namenode.send.qop.enabled, true",
  })
  void whatPromisesNothingIsNot(String key, String value) {
    conf.set(key, value);
    assertThatCode(() -> new SettingsCheck(conf).requireHonesty()).doesNotThrowAnyException();
    assertThat(warning()).isEmpty();
  }

  @Test
  void kerberosNeedsBlockTokens() {
    conf.set("hadoop.security.authentication", "kerberos");
    conf.set("hadoop.rpc.protection", "privacy");
    conf.set("dfs.data.transfer.protection", "privacy");
    assertThatThrownBy(() -> new SettingsCheck(conf).requireHonesty())
        .isInstanceOf(IOException.class)
        .hasMessage(
            "Security is enabled but block access tokens (via dfs.block.access.token.enable)"
                + " aren't enabled. This may cause issues when clients attempt to connect to a"
                + " DataNode. Aborting NameNode");
    conf.set("dfs.block.access.token.enable", "true");
    assertThatCode(() -> new SettingsCheck(conf).requireHonesty()).doesNotThrowAnyException();
  }

  @Test
  void encryptedDataNeedsBlockTokens() {
    conf.set("dfs.encrypt.data.transfer", "true");
    assertThatThrownBy(() -> new SettingsCheck(conf).requireHonesty())
        .isInstanceOf(IOException.class)
        .hasMessage(
            "dfs.encrypt.data.transfer is 'true', which takes block tokens. Set"
                + " dfs.block.access.token.enable to true in the configuration of the NameNode and"
                + " of DataNodes");
    conf.set("dfs.block.access.token.enable", "true");
    assertThatCode(() -> new SettingsCheck(conf).requireHonesty()).doesNotThrowAnyException();
  }

  @Test
  void kerberosGoesWithBlockTokens() {
    conf.set("hadoop.security.authentication", "kerberos");
    conf.set("hadoop.rpc.protection", "privacy");
    conf.set("dfs.block.access.token.enable", "true");
    assertThatCode(() -> new SettingsCheck(conf).requireHonesty()).doesNotThrowAnyException();
  }

  @ParameterizedTest
  @ValueSource(strings = {"token", "certificate", "plain", "nonsense"})
  void noOtherAuthenticationIsKnown(String name) {
    conf.set("hadoop.security.authentication", name);
    assertThatThrownBy(() -> new SettingsCheck(conf).requireHonesty())
        .isInstanceOf(IOException.class)
        .hasMessage(
            "hadoop.security.authentication is '" + name + "': simple and kerberos are known");
  }

  @Test
  void eachBrokenPromiseHasItsSentence() {
    conf.set("dfs.encrypt.data.transfer", "true");
    conf.set("dfs.namenode.authorization.provider.class", "org.example.Sentry");
    assertThatThrownBy(() -> new SettingsCheck(conf).requireHonesty())
        .message()
        .hasLineCount(2)
        .contains(
            "dfs.encrypt.data.transfer is 'true'",
            "dfs.namenode.authorization.provider.class is 'org.example.Sentry'");
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
        "dfs.ha.automatic-failover.enabled",
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

  /** As Cloudera's manager writes them for a cluster without Kerberos. */
  @Test
  void aSiteOfCdhStarts() throws IOException {
    set(
        """
        fs.defaultFS=hdfs://master:8020
        hadoop.security.authentication=simple
        hadoop.security.authorization=false
        hadoop.rpc.protection=authentication
        hadoop.security.auth_to_local=DEFAULT
        hadoop.security.instrumentation.requires.admin=false
        hadoop.ssl.require.client.cert=false
        dfs.namenode.servicerpc-address=master:8022
        dfs.https.address=master:9871
        dfs.namenode.acls.enabled=true
        dfs.namenode.avoid.read.stale.datanode=false
        dfs.encrypt.data.transfer.algorithm=3des
        dfs.encrypt.data.transfer.cipher.suites=AES/CTR/NoPadding
        dfs.encrypt.data.transfer.cipher.key.bitlength=256
        dfs.namenode.invalidate.work.pct.per.iteration=0.32
        dfs.namenode.handler.count=30
        dfs.namenode.service.handler.count=30
        dfs.namenode.snapshot.capture.openfiles=true
        dfs.namenode.plugins=
        dfs.client.read.shortcircuit=false
        dfs.domain.socket.path=/var/run/hdfs-sockets/dn
        """);
    new SettingsCheck(conf).requireHonesty();
    assertThat(warning())
        .contains(
            "Settings that this NameNode does not follow: dfs.namenode.handler.count,"
                + " dfs.namenode.service.handler.count, dfs.namenode.snapshot.capture.openfiles."
                + " See docs/hdfs-settings.md");
  }

  /** As Ambari writes them. */
  @Test
  void aSiteOfHdpStarts() throws IOException {
    set(
        """
        fs.defaultFS=hdfs://master:8020
        hadoop.security.authentication=simple
        hadoop.security.authorization=false
        hadoop.http.authentication.simple.anonymous.allowed=true
        hadoop.proxyuser.hive.hosts=master
        dfs.block.access.token.enable=true
        dfs.cluster.administrators= hdfs
        dfs.namenode.startup.delay.block.deletion.sec=3600
        dfs.namenode.checkpoint.period=21600
        dfs.namenode.name.dir.restore=true
        dfs.namenode.fslock.fair=false
        dfs.permissions.superusergroup=hdfs
        dfs.http.policy=HTTP_ONLY
        dfs.journalnode.http-address=0.0.0.0:8480
        """);
    new SettingsCheck(conf).requireHonesty();
    assertThat(warning())
        .contains(
            "Settings that this NameNode does not follow: dfs.namenode.fslock.fair,"
                + " dfs.namenode.name.dir.restore. See docs/hdfs-settings.md");
  }

  /** As EMR writes them: with a KMS that is unused without an encryption zone. */
  @Test
  void aSiteOfEmrStarts() throws IOException {
    set(
        """
        fs.defaultFS=hdfs://ip-10-0-0-1.ec2.internal:8020
        hadoop.security.key.provider.path=kms://http@ip-10-0-0-1.ec2.internal:9600/kms
        hadoop.security.token.service.use_ip=true
        fs.s3.impl=com.amazon.ws.emr.hadoop.fs.EmrFileSystem
        ipc.client.connect.max.retries.on.timeouts=5
        dfs.namenode.handler.count=64
        dfs.webhdfs.enabled=true
        dfs.permissions.superusergroup=hdfsadmingroup
        dfs.replication=2
        """);
    new SettingsCheck(conf).requireHonesty();
    assertThat(warning())
        .contains(
            "Settings that this NameNode does not follow: dfs.namenode.handler.count,"
                + " hadoop.security.key.provider.path. See docs/hdfs-settings.md");
  }

  private void set(String lines) {
    lines.lines().forEach(line -> conf.set(line.split("=", 2)[0], line.split("=", 2)[1]));
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
