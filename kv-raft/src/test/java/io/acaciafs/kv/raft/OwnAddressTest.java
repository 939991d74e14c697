package io.acaciafs.kv.raft;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.acaciafs.kv.raft.call.ChannelSecurity;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;

class OwnAddressTest {
  private static RaftOptions options(String address) {
    return new RaftOptions(
        "nn1",
        Map.of("nn1", address, "nn2", "nowhere.invalid:8030", "nn3", "127.0.0.1:2"),
        "a cluster",
        Path.of("unused"),
        new ElectionTimeout(500, 1_000),
        ChannelSecurity.NONE,
        0);
  }

  @Test
  void aFreeAddressIsFineWhateverTheOthersAre() throws Exception {
    int port;
    try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = free.getLocalPort();
    }
    assertThatCode(() -> OwnAddress.require(options("127.0.0.1:" + port)))
        .doesNotThrowAnyException();
  }

  @Test
  void anAddressThatDoesNotResolveIsRefused() {
    assertThatThrownBy(() -> OwnAddress.require(options("nowhere.invalid:8030")))
        .isInstanceOf(IOException.class)
        .hasMessage(
            "The address of nn1 in acacia.store.raft.members, nowhere.invalid:8030, does not"
                + " resolve");
  }

  /** As when two processes are started with one id. */
  @Test
  void anAddressThatIsTakenIsRefused() throws Exception {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      String address = "127.0.0.1:" + taken.getLocalPort();
      assertThatThrownBy(() -> OwnAddress.require(options(address)))
          .isInstanceOf(IOException.class)
          .hasMessageContaining(address + ", cannot be taken by this process: Address already")
          .hasMessageContaining("another NameNode that has the same id");
    }
  }

  /** As when a NameNode has the id of one on another host. */
  @Test
  void anAddressOfAnotherHostIsRefused() {
    assertThatThrownBy(() -> OwnAddress.require(options("192.0.2.1:8030")))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("192.0.2.1:8030, cannot be taken by this process");
  }
}
