package io.acaciafs.tools.local;

import io.acaciafs.tools.common.CommandFailure;
import io.acaciafs.tools.common.Folders;
import io.acaciafs.tools.common.LocalPorts;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DistributedFileSystem;

/**
 * Kerberos for a file system of this machine: a KDC, the principals of the daemons, of the user who
 * runs this, who is the superuser, and of a guest; certificates; and settings that an unmodified
 * client reads. All of it is in one folder, which is its owner's alone and serves clients as
 * HADOOP_CONF_DIR.
 */
final class LocalKerberos implements AutoCloseable {
  static final String GUEST = "guest";

  private static final String AT_REALM = "@" + LocalKdc.REALM;
  private static final String NAME_NODE = "nn/localhost";
  private static final String DATA_NODE = "dn/localhost";
  private static final String HTTP = "HTTP/localhost";

  /** Else each client says that it does not find OpenSSL. */
  private static final String CODEC = "hadoop.security.crypto.codec.classes.aes.ctr.nopadding";

  private static final int HIGHEST_PORT = 65_535;

  /** What a client has to know, of the settings of the servers. */
  private static final List<String> FOR_CLIENTS =
      List.of(
          "fs.defaultFS",
          "hadoop.security.authentication",
          "hadoop.security.auth_to_local",
          "hadoop.rpc.protection",
          "hadoop.ssl.client.conf",
          CODEC,
          "dfs.namenode.kerberos.principal",
          "dfs.datanode.kerberos.principal",
          "dfs.data.transfer.protection",
          "dfs.encrypt.data.transfer.cipher.suites",
          "dfs.http.policy",
          "dfs.namenode.rpc-address",
          "dfs.namenode.https-address",
          "dfs.namenode.name.dir",
          "dfs.replication");

  private final Path folder;
  private final String user = System.getProperty("user.name");
  private final LocalKdc kdc;

  private LocalKerberos(Path folder) throws IOException, CommandFailure {
    this.folder = Folders.create(folder).toAbsolutePath();
    LocalCertificate.make(this.folder);
    Set<String> principals =
        new LinkedHashSet<>(List.of(NAME_NODE, DATA_NODE, HTTP, GUEST)); // one may be the user
    principals.add(user);
    kdc = LocalKdc.start(this.folder, List.copyOf(principals));
  }

  /**
   * Starts the KDC, and makes what is not there yet. This thread's class loader finds the settings
   * of HTTPS from now on.
   */
  static LocalKerberos start(Path folder) throws IOException, CommandFailure {
    return new LocalKerberos(folder);
  }

  /** Sets what a NameNode and a DataNode on a host need to serve with Kerberos. */
  void configure(Configuration conf, String host, LocalPorts ports) throws IOException {
    settings(host, ports).forEach(conf::set);
    // Hadoop finds ssl-server.xml and its like on the class path alone.
    ClassLoader loader =
        new URLClassLoader(
            new URL[] {folder.toUri().toURL()}, Thread.currentThread().getContextClassLoader());
    Thread.currentThread().setContextClassLoader(loader);
    conf.setClassLoader(loader);
  }

  private Map<String, String> settings(String host, LocalPorts ports) {
    return Map.ofEntries(
        Map.entry("hadoop.security.authentication", "kerberos"),
        Map.entry("hadoop.security.authorization", "true"),
        Map.entry(
            "hadoop.security.auth_to_local",
            "RULE:[2:$1@$0]([nd]n" + AT_REALM + ")s/.*/" + user + "/\nDEFAULT"),
        Map.entry("hadoop.rpc.protection", "privacy"),
        Map.entry("dfs.namenode.kerberos.principal", "nn/_HOST" + AT_REALM),
        Map.entry("dfs.namenode.keytab.file", kdc.keytab(NAME_NODE).toString()),
        Map.entry("dfs.datanode.kerberos.principal", "dn/_HOST" + AT_REALM),
        Map.entry("dfs.datanode.keytab.file", kdc.keytab(DATA_NODE).toString()),
        Map.entry("dfs.web.authentication.kerberos.principal", "HTTP/_HOST" + AT_REALM),
        Map.entry("dfs.web.authentication.kerberos.keytab", kdc.keytab(HTTP).toString()),
        // The DataNode's pages are everybody's without this filter.
        Map.entry(
            "hadoop.http.filter.initializers",
            "org.apache.hadoop.security.AuthenticationFilterInitializer"),
        Map.entry("hadoop.http.authentication.type", "kerberos"),
        Map.entry("hadoop.http.authentication.kerberos.principal", "HTTP/_HOST" + AT_REALM),
        Map.entry("hadoop.http.authentication.kerberos.keytab", kdc.keytab(HTTP).toString()),
        Map.entry("dfs.block.access.token.enable", "true"),
        // With this and HTTPS a DataNode needs no privileged ports.
        Map.entry("dfs.data.transfer.protection", "privacy"),
        Map.entry("dfs.encrypt.data.transfer.cipher.suites", "AES/CTR/NoPadding"),
        Map.entry(CODEC, "org.apache.hadoop.crypto.JceAesCtrCryptoCodec"),
        Map.entry("dfs.http.policy", "HTTPS_ONLY"),
        Map.entry("dfs.https.server.keystore.resource", LocalCertificate.SERVER),
        Map.entry("hadoop.ssl.server.conf", LocalCertificate.SERVER), // the DataNode's
        Map.entry("hadoop.ssl.client.conf", LocalCertificate.CLIENT),
        Map.entry("dfs.namenode.https-address", host + ":" + next(ports.web())),
        Map.entry("dfs.datanode.https.address", host + ":" + next(ports.http())));
  }

  private static int next(int port) {
    return port == 0 ? 0 : Math.min(port + 1, HIGHEST_PORT);
  }

  /** Makes a directory in which the guest may write. */
  void makeGuestsDirectory(DistributedFileSystem fs) throws IOException {
    org.apache.hadoop.fs.Path home = new org.apache.hadoop.fs.Path("/user", GUEST);
    if (!fs.exists(home)) {
      fs.mkdirs(home);
      fs.setPermission(home, new FsPermission("700"));
      fs.setOwner(home, GUEST, GUEST);
    }
  }

  /**
   * Writes what clients read.
   *
   * @param conf of the NameNode, which serves
   */
  void writeSettings(Configuration conf) throws IOException {
    Configuration core = new Configuration(false);
    Configuration hdfs = new Configuration(false);
    for (String name : FOR_CLIENTS) {
      (name.startsWith("dfs.") ? hdfs : core).set(name, conf.getRaw(name));
    }
    SecretFiles.write(folder.resolve("core-site.xml"), core);
    SecretFiles.write(folder.resolve("hdfs-site.xml"), hdfs);
    String jvm = "export HADOOP_OPTS=\"$HADOOP_OPTS -Djava.security.krb5.conf=%s\"%n";
    SecretFiles.write(
        folder.resolve("hadoop-env.sh"),
        file -> Files.writeString(file, jvm.formatted(kdc.krb5Conf())));
  }

  /** Lines for the user's next terminal. */
  String whatToType() {
    return """
        in another terminal:
          export KRB5_CONFIG=%1$s HADOOP_CONF_DIR=%2$s
          kinit -kt %3$s %4$s
          bin/acacia fs -ls /
        Without kinit: export KRB5PRINCIPAL=%4$s KRB5KEYTAB=%3$s
        You are the superuser; a user who is not is %5$s, by %6$s."""
        .formatted(kdc.krb5Conf(), folder, kdc.keytab(user), user, GUEST, kdc.keytab(GUEST));
  }

  @Override
  public void close() throws IOException {
    kdc.close();
  }
}
