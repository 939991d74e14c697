package io.acaciafs.tools.local;

import io.acaciafs.kv.hbase.local.FreePorts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.kerby.kerberos.kerb.KrbException;
import org.apache.kerby.kerberos.kerb.common.EncryptionUtil;
import org.apache.kerby.kerberos.kerb.identity.backend.BackendConfig;
import org.apache.kerby.kerberos.kerb.keytab.Keytab;
import org.apache.kerby.kerberos.kerb.keytab.KeytabEntry;
import org.apache.kerby.kerberos.kerb.request.KrbIdentity;
import org.apache.kerby.kerberos.kerb.server.KdcConfig;
import org.apache.kerby.kerberos.kerb.server.KdcConfigKey;
import org.apache.kerby.kerberos.kerb.server.KdcServer;
import org.apache.kerby.kerberos.kerb.type.KerberosTime;
import org.apache.kerby.kerberos.kerb.type.base.EncryptionKey;
import org.apache.kerby.kerberos.kerb.type.base.EncryptionType;
import org.apache.kerby.kerberos.kerb.type.base.PrincipalName;

/**
 * A KDC in this process, Apache Kerby's, on any free port of the loopback interface; and this JVM's
 * {@code java.security.krb5.conf}. Its folder has a keytab for each principal, out of which the
 * next start takes the same keys, so that keytabs and tickets go on.
 */
public final class LocalKdc implements AutoCloseable {
  public static final String REALM = "EXAMPLE.COM";

  private static final String HOST = "127.0.0.1";
  private static final String JVM_SETTING = "java.security.krb5.conf";
  private static final String TICKET_GRANTING = "krbtgt/" + REALM;
  private static final List<EncryptionType> TYPES =
      List.of(EncryptionType.AES256_CTS_HMAC_SHA1_96, EncryptionType.AES128_CTS_HMAC_SHA1_96);

  private final Path folder;
  private final KdcServer server;

  private LocalKdc(Path folder) throws KrbException {
    this.folder = folder;
    KdcConfig config = new KdcConfig();
    config.setString(
        KdcConfigKey.ENCRYPTION_TYPES,
        String.join(" ", TYPES.stream().map(EncryptionType::getName).toList()));
    server = new KdcServer(config, new BackendConfig());
  }

  /**
   * Starts it.
   *
   * @param folder of krb5.conf and the keytabs, which is there
   * @param principals without realm, e.g. {@code alice} and {@code nn/localhost}
   * @throws IOException when a keytab cannot be read or written, or the KDC does not start
   */
  public static LocalKdc start(Path folder, List<String> principals) throws IOException {
    try {
      LocalKdc kdc = new LocalKdc(folder);
      kdc.start(principals);
      return kdc;
    } catch (KrbException e) {
      throw new IOException("The KDC does not start: " + e.getMessage(), e);
    }
  }

  private void start(List<String> principals) throws IOException, KrbException {
    int port = FreePorts.next();
    server.setKdcRealm(REALM);
    server.setKdcHost(HOST);
    server.setKdcTcpPort(port);
    server.setAllowTcp(true);
    server.setAllowUdp(false);
    server.init();
    add(TICKET_GRANTING);
    for (String principal : principals) {
      add(principal);
    }
    SecretFiles.write(krb5Conf(), file -> Files.writeString(file, settings(port)));
    server.start();
    System.setProperty(JVM_SETTING, krb5Conf().toString());
  }

  private static String settings(int port) {
    return """
        # Of acacia, which writes it at each start.
        [libdefaults]
          default_realm = %1$s
          dns_lookup_realm = false
          dns_lookup_kdc = false
          dns_canonicalize_hostname = false
          rdns = false
          udp_preference_limit = 1
        [realms]
          %1$s = {
            kdc = %2$s:%3$d
          }
        [domain_realm]
          localhost = %1$s
        """
        .formatted(REALM, HOST, port);
  }

  private void add(String name) throws IOException, KrbException {
    PrincipalName principal = new PrincipalName(name + "@" + REALM);
    Path keytab = keytab(name);
    if (!Files.exists(keytab)) {
      writeKeys(keytab, principal);
    }
    KrbIdentity identity = new KrbIdentity(principal);
    identity.setCreatedTime(KerberosTime.now());
    identity.setExpireTime(KerberosTime.NEVER);
    for (KeytabEntry entry : Keytab.loadKeytab(keytab.toFile()).getKeytabEntries(principal)) {
      EncryptionKey key = entry.getKey();
      key.setKvno(entry.getKvno());
      identity.addKey(key);
      identity.setKeyVersion(entry.getKvno());
    }
    server.getIdentityService().addIdentity(identity);
  }

  private static void writeKeys(Path file, PrincipalName principal)
      throws IOException, KrbException {
    Keytab keytab = new Keytab();
    for (EncryptionKey key : EncryptionUtil.generateKeys(TYPES)) {
      keytab.addEntry(new KeytabEntry(principal, KerberosTime.now(), 1, key));
    }
    SecretFiles.write(file, part -> keytab.store(part.toFile()));
  }

  /** Where the key of a principal is: a path that names its first component. */
  public Path keytab(String principal) {
    return folder.resolve(principal.replaceFirst("/.*", "") + ".keytab");
  }

  /** The file by which JVMs find it. */
  public Path krb5Conf() {
    return folder.resolve("krb5.conf");
  }

  @Override
  public void close() throws IOException {
    try {
      server.stop();
    } catch (KrbException e) {
      throw new IOException("The KDC does not end: " + e.getMessage(), e);
    } finally {
      System.clearProperty(JVM_SETTING);
    }
  }
}
