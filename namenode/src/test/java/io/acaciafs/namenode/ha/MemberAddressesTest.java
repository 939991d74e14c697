package io.acaciafs.namenode.ha;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetSocketAddress;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.junit.jupiter.api.Test;

class MemberAddressesTest {
  private final Configuration site = site();

  private static Configuration site() {
    Configuration site = new HdfsConfiguration();
    site.set("dfs.nameservices", "acacia");
    site.set("dfs.ha.namenodes.acacia", "nn1,nn2");
    site.set("dfs.ha.namenode.id", "nn1");
    site.set("dfs.namenode.rpc-address.acacia.nn1", "127.0.0.1:8020");
    site.set("dfs.namenode.rpc-address.acacia.nn2", "127.0.0.2:8020");
    site.set("dfs.namenode.http-address", "127.0.0.1:1"); // this one's own
    return site;
  }

  private final AtomicLong elapsedMs = new AtomicLong();
  private final Configuration files = site();

  private MemberAddresses addresses() {
    return new MemberAddresses(site, () -> files, elapsedMs::get);
  }

  private URI page(String member) {
    return addresses().page(member);
  }

  @Test
  void theSiteNamesThePages() {
    site.set("dfs.namenode.http-address.acacia.nn2", "127.0.0.3:9999");
    assertThat(page("nn2")).isEqualTo(URI.create("http://127.0.0.3:9999/"));
    site.set("dfs.namenode.https-address.acacia.nn2", "127.0.0.3:9443");
    site.set("dfs.http.policy", "HTTPS_ONLY");
    assertThat(page("nn2")).isEqualTo(URI.create("https://127.0.0.3:9443/"));
  }

  @Test
  void otherMembersThatCanBeReachedAreListed() {
    site.set("dfs.ha.namenodes.acacia", "nn1,nn2,nn3");
    site.set("dfs.namenode.http-address.acacia.nn2", "127.0.0.3:9999");
    assertThat(addresses().otherPages())
        .isEqualTo(Map.of("nn2", URI.create("http://127.0.0.3:9999/")));
    site.unset("dfs.ha.namenodes.acacia");
    assertThat(addresses().otherPages()).isEmpty();
  }

  @Test
  void elseTheyAreWhereCallsGoAtTheDefaultPort() {
    assertThat(page("nn2")).isEqualTo(URI.create("http://127.0.0.2:9870/"));
    site.set("dfs.namenode.http-address.acacia.nn2", "0.0.0.0:9999");
    assertThat(page("nn2")).isEqualTo(URI.create("http://127.0.0.2:9999/"));
  }

  @Test
  void aMemberThatTheSiteDoesNotNameHasNone() {
    MemberAddresses addresses = addresses();
    assertThat(addresses.rpc("nn2")).isEqualTo(new InetSocketAddress("127.0.0.2", 8020));
    assertThat(addresses.rpc("nn3")).isNull();
    assertThat(addresses.page("nn3")).isNull();
  }

  @Test
  void aMemberThatWasAddedIsFoundInTheFilesOnceASecond() {
    MemberAddresses addresses = addresses();
    files.set("dfs.namenode.rpc-address.acacia.nn3", "127.0.0.3:8020");
    assertThat(addresses.rpc("nn3")).as("read a moment ago").isNull();
    elapsedMs.addAndGet(1_000);
    assertThat(addresses.rpc("nn3")).isEqualTo(new InetSocketAddress("127.0.0.3", 8020));
  }

  @Test
  void aMemberStaysWhereItWasWhileItsNameDoesNotResolve() {
    InetSocketAddress unresolved = InetSocketAddress.createUnresolved("nn2.example", 8020);
    AtomicReference<InetSocketAddress> now = new AtomicReference<>(unresolved);
    site.set("dfs.namenode.rpc-address.acacia.nn2", "nn2.example:8020");
    MemberAddresses addresses =
        new MemberAddresses(site, () -> files, elapsedMs::get, setting -> now.get());
    assertThat(addresses.rpc("nn2")).as("never resolved").isEqualTo(unresolved);
    for (String host : List.of("127.0.0.2", "127.0.0.3")) {
      now.set(new InetSocketAddress(host, 8020));
      assertThat(addresses.rpc("nn2")).isEqualTo(now.get());
      now.set(unresolved);
      assertThat(addresses.rpc("nn2")).isEqualTo(new InetSocketAddress(host, 8020));
    }
  }
}
