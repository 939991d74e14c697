package io.acaciafs.kv.raft;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.acaciafs.kv.raft.call.ChannelSecurity;
import java.io.IOException;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RaftConfigKeysTest {
  private static final String THREE = "nn1=h1:8030, nn2=h2:8030,nn3=h3:8030";

  private static Map<String, String> members(String text) throws IOException {
    return RaftConfigKeys.members(name -> name.equals("acacia.store.raft.members") ? text : null);
  }

  @Test
  void namesTheMembers() throws Exception {
    assertThat(members(THREE))
        .containsExactly(
            Map.entry("nn1", "h1:8030"), Map.entry("nn2", "h2:8030"), Map.entry("nn3", "h3:8030"));
  }

  @Test
  void saysWhatIsWrong() {
    Map<String, String> wrong =
        Map.of(
            "nn1=h1:1,nn2=h2:1", "even number",
            "nn1=h1:1,nn1=h2:1,nn3=h3:1", "names nn1 twice",
            "nn1=h1:1,nn2=h1:1,nn3=h3:1", "the same address",
            "nn1=h1", "name=host:port",
            "h1:8030", "name=host:port");
    wrong.forEach(
        (text, message) ->
            assertThatThrownBy(() -> members(text))
                .as(text)
                .isInstanceOf(IOException.class)
                .hasMessageContaining(message));
    assertThatThrownBy(() -> members(null)).hasMessageContaining("is not set");
  }

  @Test
  void knowsWhichMemberThisIs() throws Exception {
    Map<String, String> three = members(THREE);
    assertThat(
            RaftConfigKeys.member(name -> name.equals("dfs.ha.namenode.id") ? "nn2" : null, three))
        .isEqualTo("nn2");
    assertThatThrownBy(() -> RaftConfigKeys.member(name -> null, three))
        .hasMessageContaining("dfs.ha.namenode.id");
    assertThatThrownBy(
            () ->
                RaftConfigKeys.member(
                    name -> name.equals("acacia.store.raft.member") ? "nn9" : null, three))
        .hasMessageContaining("nn9 is none of");
    assertThatThrownBy(() -> RaftConfigKeys.requireOrder(500, 500))
        .hasMessageContaining("must be more than");
  }

  @Test
  void tlsNeedsAllItsFiles() throws Exception {
    assertThat(RaftConfigKeys.security(name -> null)).isSameAs(ChannelSecurity.NONE);
    assertThatThrownBy(
            () -> RaftConfigKeys.security(name -> name.endsWith("tls.key.file") ? "/key" : null))
        .hasMessage(
            "Set all of [acacia.store.raft.tls.key.file, acacia.store.raft.tls.certificate.file,"
                + " acacia.store.raft.tls.authority.file], so that the members speak TLS, or none"
                + " of them");
    assertThatThrownBy(() -> RaftConfigKeys.security(name -> "/nowhere/file"))
        .hasMessage("/nowhere/file cannot be read, so the members cannot use TLS");
  }
}
