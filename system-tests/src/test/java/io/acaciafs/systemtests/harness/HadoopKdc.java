package io.acaciafs.systemtests.harness;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Properties;
import org.apache.hadoop.minikdc.MiniKdc;
import org.apache.kerby.kerberos.kerb.client.KrbClient;

/**
 * Hadoop's KDC in the test's process, for programs in processes of their own: the test itself has
 * no tickets. Not thread-safe.
 */
public final class HadoopKdc implements Kdc {
  private static final Duration LONG_LIFE = Duration.ofDays(1);

  private final Path folder;
  private final MiniKdc kdc;
  private final String settings;

  /**
   * Starts it.
   *
   * @param folder of its files and of the keytabs
   */
  public HadoopKdc(Path folder) throws Exception {
    this(folder, LONG_LIFE);
  }

  /**
   * Starts it.
   *
   * @param folder of its files and of the keytabs
   * @param life of each ticket
   */
  public HadoopKdc(Path folder, Duration life) throws Exception {
    this.folder = Files.createDirectories(folder);
    Properties conf = MiniKdc.createConf();
    conf.setProperty(MiniKdc.MIN_TICKET_LIFETIME, "1");
    conf.setProperty(MiniKdc.MAX_TICKET_LIFETIME, Long.toString(life.toSeconds()));
    kdc = new MiniKdc(conf, folder.toFile());
    kdc.start();
    settings = kdc.getKrb5conf().toString();
    System.clearProperty("java.security.krb5.conf"); // it sets them for its own process
    System.clearProperty("sun.security.krb5.debug");
  }

  @Override
  public void create(String... principals) throws Exception {
    kdc.createPrincipal(keytab(principals[0]).toFile(), principals);
  }

  @Override
  public Path keytab(String principal) {
    return folder.resolve(principal.replace('/', '-') + ".keytab");
  }

  @Override
  public String option() {
    return "-Djava.security.krb5.conf=" + settings;
  }

  /** As Hadoop's programs take a ticket by themselves. */
  @Override
  public Map<String, String> ticket(String principal) {
    return Map.of("KRB5PRINCIPAL", principal + REALM, "KRB5KEYTAB", keytab(principal).toString());
  }

  /** The variables by which a program of MIT's Kerberos has a ticket of a user. */
  public Map<String, String> ticketOfMit(String principal) throws Exception {
    return Map.of(
        "KRB5CCNAME", "FILE:" + ticketCache(principal), "KRB5_CONFIG", krb5Conf().toString());
  }

  /** A file with a ticket of a user, as kinit leaves one. */
  private Path ticketCache(String principal) throws Exception {
    KrbClient client = new KrbClient(Path.of(settings).getParent().toFile());
    client.init();
    Path cache = folder.resolve(principal + ".cache");
    client.storeTicket(
        client.requestTgt(principal + REALM, keytab(principal).toFile()), cache.toFile());
    return cache;
  }

  /** Their settings: a service is the one of the address, whatever DNS calls it. */
  private Path krb5Conf() throws IOException {
    Path conf = folder.resolve("krb5-mit.conf");
    String text = Files.readString(Path.of(settings));
    return Files.writeString(
        conf,
        text.replace(
            "[libdefaults]",
            "[libdefaults]\n    rdns = false\n    dns_canonicalize_hostname = false"));
  }

  @Override
  public void close() throws IOException {
    kdc.stop();
    System.clearProperty("java.security.krb5.conf");
    System.clearProperty("sun.security.krb5.debug");
  }
}
