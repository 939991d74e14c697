package io.acaciafs.systemtests.harness;

import io.acaciafs.kv.hbase.local.LocalHBase;
import io.acaciafs.kv.hbase.local.LocalHBaseOptions;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;

/**
 * An HBase of one region server that wants Kerberos of everybody, as its ZooKeeper does, and that
 * keeps tables for the users that were granted them. Its principals are {@code hbase/localhost},
 * the superuser, and {@code zookeeper/localhost}. Not thread-safe.
 */
final class SecureHBase implements AutoCloseable {
  static final String SUPERUSER = "hbase/localhost";
  private static final String ZOOKEEPER = "zookeeper/localhost";
  private static final int SERVER_HEAP_MB = 384;

  private final Path folder;
  private final Kdc kdc;
  private final LocalHBase hbase;

  private SecureHBase(Path folder, Kdc kdc, LocalHBase hbase) {
    this.folder = folder;
    this.kdc = kdc;
    this.hbase = hbase;
  }

  /**
   * Starts it; does not wait until it serves.
   *
   * @param shortNames the value of hadoop.security.auth_to_local
   * @param authorizes whether it refuses users without rights
   */
  static SecureHBase start(Path folder, Kdc kdc, String shortNames, boolean authorizes)
      throws Exception {
    kdc.create(SUPERUSER);
    kdc.create(ZOOKEEPER);
    Path classPath = Path.of(System.getProperty("acacia.hbase.classpath"));
    Map<String, String> servers = servers(kdc, shortNames);
    if (authorizes) {
      authorize(servers);
    }
    LocalHBase hbase =
        LocalHBase.start(
            new LocalHBaseOptions(
                    Files.createDirectories(folder),
                    classPath,
                    1,
                    SERVER_HEAP_MB,
                    List.of(),
                    LocalHBaseOptions.PATIENT_SESSION_MS)
                .withSite(new LocalHBaseOptions.Site(servers, List.of(kdc.option()))));
    return new SecureHBase(folder, kdc, hbase);
  }

  private static void authorize(Map<String, String> servers) {
    String access = "org.apache.hadoop.hbase.security.access.AccessController";
    servers.put("hbase.security.authorization", "true");
    for (String where : List.of("master", "region", "regionserver")) {
      servers.put("hbase.coprocessor." + where + ".classes", access);
    }
  }

  private static Map<String, String> servers(Kdc kdc, String shortNames) {
    Map<String, String> settings = new HashMap<>();
    settings.put("hadoop.security.authentication", "kerberos");
    settings.put("hadoop.security.auth_to_local", shortNames);
    settings.put("hbase.security.authentication", "kerberos");
    settings.put("hbase.superuser", "hbase");
    settings.put("hbase.rpc.protection", "privacy");
    for (String server : List.of("hbase.master", "hbase.regionserver")) {
      settings.put(server + ".kerberos.principal", SUPERUSER + Kdc.REALM);
      settings.put(server + ".keytab.file", kdc.keytab(SUPERUSER).toString());
    }
    settings.put("hbase.zookeeper.client.kerberos.principal", SUPERUSER + Kdc.REALM);
    settings.put("hbase.zookeeper.client.keytab.file", kdc.keytab(SUPERUSER).toString());
    settings.put("hbase.zookeeper.server.kerberos.principal", ZOOKEEPER + Kdc.REALM);
    settings.put("hbase.zookeeper.server.keytab.file", kdc.keytab(ZOOKEEPER).toString());
    String property = "hbase.zookeeper.property.";
    settings.put(
        property + "authProvider.1", "org.apache.zookeeper.server.auth.SASLAuthenticationProvider");
    settings.put(property + "kerberos.removeHostFromPrincipal", "true");
    settings.put(property + "kerberos.removeRealmFromPrincipal", "true");
    settings.put(property + "sessionRequireClientSASLAuth", "true");
    return settings;
  }

  /**
   * What a client of it is told, in its hdfs-site.xml or its hbase-site.xml.
   *
   * @param principal by which it speaks to ZooKeeper; its keytab has the same name
   */
  Map<String, String> client(String principal) {
    return Map.of(
        "acacia.store.hbase.zookeeper",
        hbase.zooKeeper(),
        "acacia.store.hbase.coprocessor",
        "classpath",
        "hbase.security.authentication",
        "kerberos",
        "hbase.master.kerberos.principal",
        "hbase/_HOST" + Kdc.REALM,
        "hbase.regionserver.kerberos.principal",
        "hbase/_HOST" + Kdc.REALM,
        "hbase.rpc.protection",
        "privacy",
        "hbase.zookeeper.client.kerberos.principal",
        principal + Kdc.REALM,
        "hbase.zookeeper.client.keytab.file",
        kdc.keytab(principal).toString());
  }

  /** A folder of settings for {@link HBaseGrant} by the superuser. */
  Path superusersConf(String shortNames) throws IOException {
    Configuration conf = new Configuration(false);
    client(SUPERUSER).forEach(conf::set);
    conf.set("hadoop.security.authentication", "kerberos");
    conf.set("hadoop.security.auth_to_local", shortNames);
    Path made = Files.createDirectories(folder.resolve("superuser"));
    for (String file : List.of("core-site.xml", "hbase-site.xml")) {
      try (OutputStream out = Files.newOutputStream(made.resolve(file))) {
        conf.writeXml(out);
      }
    }
    return made;
  }

  LocalHBase hbase() {
    return hbase;
  }

  @Override
  public void close() {
    hbase.close();
  }
}
