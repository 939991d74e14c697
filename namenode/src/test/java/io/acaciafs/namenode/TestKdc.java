package io.acaciafs.namenode;

import java.io.File;
import java.io.IOException;
import java.lang.reflect.Field;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.PrivilegedExceptionAction;
import java.time.Duration;
import java.util.Map;
import java.util.Properties;
import javax.security.auth.login.AppConfigurationEntry;
import javax.security.auth.login.AppConfigurationEntry.LoginModuleControlFlag;
import javax.security.auth.login.LoginContext;
import javax.security.auth.login.LoginException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.minikdc.MiniKdc;
import org.apache.hadoop.security.Groups;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.authentication.util.KerberosUtil;
import org.apache.hadoop.security.authorize.ProxyUsers;
import org.apache.kerby.kerberos.kerb.server.SimpleKdcServer;

/** A KDC, with the keys of principals, and this JVM's settings of Kerberos until it is closed. */
final class TestKdc implements AutoCloseable {
  static final String REALM = "@EXAMPLE.COM";

  private static final Duration LONG_LIFE = Duration.ofDays(1);

  private final Path folder;
  private final MiniKdc kdc;

  /**
   * @param folder of its files
   */
  TestKdc(Path folder, String... principals) throws Exception {
    this(folder, LONG_LIFE, principals);
  }

  /**
   * @param folder of its files
   * @param life of each ticket
   */
  TestKdc(Path folder, Duration life, String... principals) throws Exception {
    this.folder = folder;
    Properties conf = MiniKdc.createConf();
    conf.setProperty(MiniKdc.MIN_TICKET_LIFETIME, "1");
    conf.setProperty(MiniKdc.MAX_TICKET_LIFETIME, Long.toString(life.toSeconds()));
    kdc = new MiniKdc(conf, Files.createDirectories(folder.resolve("kdc")).toFile());
    kdc.start();
    rereadSettings();
    for (String principal : principals) {
      kdc.createPrincipal(keytab(principal), principal);
    }
  }

  /** The JVM may have read settings of Kerberos before, and keeps them until a login. */
  private static void rereadSettings() {
    AppConfigurationEntry entry =
        new AppConfigurationEntry(
            KerberosUtil.getKrb5LoginModuleName(),
            LoginModuleControlFlag.REQUIRED,
            Map.of("refreshKrb5Config", "true", "doNotPrompt", "true", "principal", "nobody"));
    try {
      new LoginContext(
              "reread",
              null,
              null,
              new javax.security.auth.login.Configuration() {
                @Override
                public AppConfigurationEntry[] getAppConfigurationEntry(String name) {
                  return new AppConfigurationEntry[] {entry};
                }
              })
          .login();
      throw new IllegalStateException("Nobody has no key");
    } catch (LoginException e) {
      // as expected, after the settings were read
    }
  }

  /** A principal gets another key, and its keytab has that one alone. */
  void changeKey(String principal) throws Exception {
    SimpleKdcServer server = server();
    server.deletePrincipal(principal);
    server.createPrincipal(principal);
    Path made = folder.resolve("made.keytab");
    server.exportPrincipal(principal, made.toFile());
    Files.move(made, keytab(principal).toPath(), StandardCopyOption.REPLACE_EXISTING);
  }

  private SimpleKdcServer server() throws ReflectiveOperationException {
    Field field = MiniKdc.class.getDeclaredField("simpleKdc");
    field.setAccessible(true);
    return (SimpleKdcServer) field.get(kdc);
  }

  /** It answers nobody any more. */
  void stop() throws Exception {
    Path settings = kdc.getKrb5conf().toPath();
    byte[] content = Files.readAllBytes(settings);
    server().stop();
    Files.write(settings, content); // of which the JVM would else know nothing more
  }

  File keytab(String principal) {
    return folder.resolve(principal.replace('/', '-') + ".keytab").toFile();
  }

  UserGroupInformation login(String principal) throws IOException {
    return UserGroupInformation.loginUserFromKeytabAndReturnUGI(
        principal + REALM, keytab(principal).toString());
  }

  /** Settings of NameNodes nn/localhost, DataNodes dn/localhost, and clients. */
  Configuration site() {
    Configuration conf = new HdfsConfiguration();
    conf.set("hadoop.security.authentication", "kerberos");
    conf.set("hadoop.security.authorization", "true");
    conf.set("hadoop.rpc.protection", "authentication,integrity,privacy");
    conf.set("dfs.namenode.kerberos.principal", "nn/_HOST" + REALM);
    conf.set("dfs.namenode.keytab.file", keytab("nn/localhost").toString());
    conf.set("dfs.datanode.kerberos.principal", "dn/_HOST" + REALM);
    conf.set("dfs.block.access.token.enable", "true");
    // Tests that look for what clients leave wait for the end of idle connections: 10 s by default.
    conf.set("ipc.client.connection.maxidletime", "2000");
    return conf;
  }

  /** The same of one NameNode, at any port of localhost. */
  Configuration siteOfOne() {
    Configuration conf = site();
    conf.set("dfs.namenode.name.dir", folder.resolve("name").toString());
    conf.set("fs.defaultFS", "hdfs://localhost:0");
    conf.set("dfs.namenode.rpc-address", "localhost:0");
    conf.set("dfs.namenode.http-address", "localhost:0");
    return conf;
  }

  /** Lets oozie speak for the group workers from here, which is bob; and hive from elsewhere. */
  static void allowProxies(Configuration conf) {
    conf.set("hadoop.user.group.static.mapping.overrides", "alice=others;bob=workers;hdfs=");
    conf.set("hadoop.proxyuser.oozie.hosts", "127.0.0.1");
    conf.set("hadoop.proxyuser.oozie.groups", "workers");
    conf.set("hadoop.proxyuser.hive.hosts", "10.1.2.3");
    conf.set("hadoop.proxyuser.hive.groups", "*");
  }

  /** A file system of a user, to be closed. */
  static DistributedFileSystem fileSystem(UserGroupInformation user, Configuration site, String uri)
      throws Exception {
    Configuration client = new Configuration(site);
    client.setInt("ipc.client.connect.max.retries.on.sasl", 1);
    return user.doAs(
        (PrivilegedExceptionAction<DistributedFileSystem>)
            () -> (DistributedFileSystem) FileSystem.newInstance(URI.create(uri), client));
  }

  /** Users and groups are those of a configuration from now on. */
  static void use(Configuration conf) throws IOException {
    UserGroupInformation.reset();
    Groups.getUserToGroupsMappingServiceWithLoadedConfiguration(conf);
    UserGroupInformation.setConfiguration(conf);
    ProxyUsers.refreshSuperUserGroupsConfiguration(conf);
  }

  @Override
  public void close() throws IOException {
    kdc.stop();
    System.clearProperty("java.security.krb5.conf");
    System.clearProperty("sun.security.krb5.debug");
    use(new Configuration());
  }
}
