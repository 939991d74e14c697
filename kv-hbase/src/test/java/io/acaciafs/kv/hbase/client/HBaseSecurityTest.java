package io.acaciafs.kv.hbase.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.acaciafs.kv.StoreException;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import javax.security.sasl.SaslException;
import org.apache.hadoop.hbase.security.AccessDeniedException;
import org.apache.hadoop.ipc.RemoteException;
import org.junit.jupiter.api.Test;

/** What is refused before a cluster is asked, and what its refusals are told as. */
class HBaseSecurityTest {
  private final Map<String, String> site =
      new HashMap<>(
          Map.of(
              "hbase.security.authentication", "kerberos",
              "hbase.master.kerberos.principal", "hbase/_HOST@EXAMPLE.COM",
              "hbase.regionserver.kerberos.principal", "hbase/_HOST@EXAMPLE.COM",
              "hbase.rpc.protection", "privacy"));

  private HBaseOptions options() {
    return HBaseOptions.of("127.0.0.1:1").withTable("a").withClientSettings(site).withOwner("b");
  }

  private void require() throws IOException {
    HBaseSecurity.require(options());
  }

  @Test
  void anHBaseThatProvesWhoItIsAndWantsThatOfOthersIsTaken() {
    assertThatCode(this::require).doesNotThrowAnyException();
    site.remove("hbase.rpc.protection"); // there is a warning
    assertThatCode(this::require).doesNotThrowAnyException();
  }

  @Test
  void oneThatDoesNotIsRefusedWithWhatToSet() {
    site.put("hbase.security.authentication", "simple");
    assertThatThrownBy(this::require)
        .isInstanceOf(IOException.class)
        .hasMessageContaining("only in an HBase with Kerberos")
        .hasMessageContaining("Set hbase.security.authentication to kerberos");
    site.clear();
    assertThatThrownBy(this::require).hasMessageContaining("only in an HBase with Kerberos");
  }

  @Test
  void eachPrincipalIsNeeded() {
    for (String server : new String[] {"hbase.master", "hbase.regionserver"}) {
      String name = server + ".kerberos.principal";
      String principal = site.remove(name);
      assertThatThrownBy(this::require).hasMessageContaining("set " + name);
      site.put(name, principal);
    }
  }

  @Test
  void aServerWithoutKerberosIsNotFallenBackTo() {
    site.put("hbase.ipc.client.fallback-to-simple-auth-allowed", "true");
    assertThatThrownBy(this::require).hasMessageContaining("who plays HBase would be believed");
  }

  /** Rather than asking until it is late. */
  @Test
  void aProcessWithoutKerberosIsToldSoAtOnce() {
    long beganNs = System.nanoTime();
    assertThatThrownBy(
            () ->
                Connections.connect(
                    options(), connection -> connection.getAdmin().listNamespaces()))
        .isInstanceOf(StoreException.class)
        .hasMessage(
            "hbase.security.authentication is kerberos, and hadoop.security.authentication is not:"
                + " set both, or none");
    assertThat(TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - beganNs)).isLessThan(30);
  }

  @Test
  void aRefusalIsToldFromOtherFailuresHoweverDeepItIs() {
    Exception unknown = new Exception("Server not found in Kerberos database (7)");
    IOException failure =
        new IOException(
            "Call to localhost failed", new SaslException("GSS initiate failed", unknown));
    assertThat(Introduction.isRefused(failure)).isTrue();
    assertThat(Introduction.reason(failure))
        .isEqualTo("GSS initiate failed: Server not found in Kerberos database (7)");
    assertThat(Introduction.isRefused(new AccessDeniedException("no"))).isTrue();
    assertThat(
            Introduction.isRefused(
                new RemoteException(
                    "org.apache.hadoop.hbase.security.AccessDeniedException", "Authentication")))
        .isTrue();
    assertThat(Introduction.isRefused(new IOException("no route to host"))).isFalse();
    assertThat(Introduction.reason(new IOException("no route to host")))
        .isEqualTo("no route to host");
  }
}
