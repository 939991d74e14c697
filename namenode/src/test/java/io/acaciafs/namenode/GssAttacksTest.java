package io.acaciafs.namenode;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.server.namenode.FSNamesystem;
import org.apache.hadoop.ipc.protobuf.RpcHeaderProtos.RpcSaslProto;
import org.apache.hadoop.ipc.protobuf.RpcHeaderProtos.RpcSaslProto.SaslState;
import org.apache.hadoop.security.UserGroupInformation;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What a client with a ticket may try on one connection: the connection ends, the security log has
 * a line, nobody calls, and the server has nothing left of it.
 */
@Timeout(300)
class GssAttacksTest {
  private static final int ROUNDS = 3;

  @TempDir static Path folder;
  private static TestKdc kdc;
  private static NameNode nameNode;
  private static UserGroupInformation alice;

  @BeforeAll
  static void start() throws Exception {
    kdc = new TestKdc(folder, "nn/localhost", "alice");
    Configuration conf = kdc.siteOfOne();
    conf.set(
        "hadoop.security.auth_to_local",
        "RULE:[2:$1@$0](nn@EXAMPLE.COM)s/.*/hdfs/\nRULE:[1:$1@$0](.*@EXAMPLE.COM)s/@.*//");
    TestKdc.use(conf);
    NameNode.format(conf, "CID-test", false);
    nameNode = NameNode.start(conf);
    alice = kdc.login("alice");
  }

  @AfterAll
  static void stop() throws Exception {
    if (nameNode != null) {
      nameNode.close();
    }
    kdc.close();
  }

  /** On one connection, which ends. */
  private interface Attack {
    void by(GssClient client) throws Exception;
  }

  /** What is made of the bytes that a client would send. */
  private interface Change {
    List<byte[]> of(byte[] bytes);
  }

  private static final Map<String, Change> CHANGES =
      Map.of(
          "cut in half", bytes -> List.of(Arrays.copyOf(bytes, bytes.length / 2)),
          "without its end", bytes -> List.of(Arrays.copyOf(bytes, bytes.length - 1)),
          "with nothing in it", bytes -> List.of(new byte[0]),
          "with a changed byte", bytes -> List.of(changed(bytes, bytes.length / 2)),
          "with a changed end", bytes -> List.of(changed(bytes, bytes.length - 1)));

  private static byte[] changed(byte[] bytes, int at) {
    byte[] changed = bytes.clone();
    changed[at] ^= 1;
    return changed;
  }

  private static Arguments attack(String name, String quality, Attack attack) {
    return Arguments.of(name + ", " + quality, quality, attack);
  }

  private static Stream<Arguments> attacks() {
    List<Arguments> all = new ArrayList<>();
    for (SaslState state : SaslState.values()) {
      RpcSaslProto message = GssClient.message(state, new byte[0]);
      if (state != SaslState.NEGOTIATE) {
        all.add(attack(state + " as the first message", "auth", client -> client.send(message)));
      }
      all.add(
          attack(
              state + " after the offer",
              "auth",
              client -> {
                client.negotiate();
                client.send(message);
              }));
      if (state != SaslState.RESPONSE) {
        all.add(
            attack(
                state + " after the first challenge",
                "auth",
                client -> {
                  client.begin();
                  client.send(message);
                }));
        all.add(
            attack(
                state + " after the last challenge",
                "auth",
                client -> {
                  client.establish();
                  client.send(message);
                }));
      }
      all.add(
          attack(
              state + " of a client that is known",
              "auth",
              client -> {
                client.authenticate();
                client.send(message);
              }));
    }
    all.add(
        attack(
            "the ticket again, after the first challenge",
            "auth",
            client -> {
              RpcSaslProto initiation = client.initiation(client.negotiate());
              client.send(initiation);
              client.read();
              client.send(initiation);
            }));
    all.add(
        attack(
            "the last response again",
            "auth",
            client -> {
              RpcSaslProto response = client.response(client.establish());
              client.send(response);
              client.read();
              client.send(response);
            }));
    CHANGES.forEach(
        (name, change) -> {
          all.add(
              attack(
                  "a ticket " + name,
                  "auth",
                  client -> {
                    RpcSaslProto initiation = client.initiation(client.negotiate());
                    for (byte[] token : change.of(initiation.getToken().toByteArray())) {
                      client.send(
                          initiation.toBuilder()
                              .setToken(GssClient.message(SaslState.INITIATE, token).getToken())
                              .build());
                    }
                  }));
          all.add(
              attack(
                  "a last response " + name,
                  "auth",
                  client -> {
                    RpcSaslProto response = client.response(client.establish());
                    for (byte[] token : change.of(response.getToken().toByteArray())) {
                      client.send(GssClient.message(SaslState.RESPONSE, token));
                    }
                  }));
        });
    for (String quality : List.of("auth-int", "auth-conf")) {
      CHANGES.forEach(
          (name, change) ->
              all.add(
                  attack(
                      "a packet " + name,
                      quality,
                      client -> {
                        client.authenticate();
                        for (byte[] token : change.of(client.wrappedContext())) {
                          client.sendPacket(token);
                        }
                      })));
      all.add(
          attack(
              "a packet sent again",
              quality,
              client -> {
                client.authenticate();
                byte[] packet = client.wrappedContext();
                client.sendPacket(packet);
                client.sendPacket(packet);
              }));
      all.add(
          attack(
              "a packet before the one that was made first",
              quality,
              client -> {
                client.authenticate();
                client.wrappedContext();
                client.sendPacket(client.wrappedContext());
              }));
      for (SaslState state : SaslState.values()) {
        if (state != SaslState.WRAP) {
          all.add(
              attack(
                  state + " between packets",
                  quality,
                  client -> {
                    client.authenticate();
                    client.sendPacket(client.wrappedContext());
                    client.send(GssClient.message(state, new byte[0]));
                  }));
        }
      }
    }
    return all.stream();
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("attacks")
  void nothingComesOfIt(String name, String quality, Attack attack) throws Exception {
    try (LoggedLines security = new LoggedLines("SecurityLogger.org.apache.hadoop.ipc");
        LoggedLines audit = new LoggedLines(FSNamesystem.AUDIT_LOG.getName())) {
      run(quality, attack); // once before, for whatever the first one makes
      Leftovers leftovers = Leftovers.since(nameNode);
      for (int i = 0; i < ROUNDS; i++) {
        run(quality, attack);
      }
      leftovers.assertNone();
      assertThat(security.lines())
          .filteredOn(
              line -> line.matches("(?s)(Auth failed|Connection refused) for 127\\.0\\.0\\.1:.*"))
          .hasSize(ROUNDS + 1);
      assertThat(audit.lines()).isEmpty();
    }
  }

  private static void run(String quality, Attack attack) throws Exception {
    try (GssClient client = new GssClient(nameNode.rpcAddress().getPort(), alice, quality)) {
      attack.by(client);
      client.readToEnd();
    }
  }

  /** All that a client has said, word for word, from another connection. */
  @Test
  void theWordsOfAClientAreOfNoUseToAnother() throws Exception {
    int port = nameNode.rpcAddress().getPort();
    try (LoggedLines security = new LoggedLines("SecurityLogger.org.apache.hadoop.ipc");
        GssClient client = new GssClient(port, alice, "auth");
        GssClient thief = new GssClient(port, alice, "auth")) {
      List<RpcSaslProto> said = new ArrayList<>();
      said.add(client.initiation(client.negotiate()));
      for (int i = 0; i < 2; i++) {
        client.send(said.get(i));
        said.add(client.response(client.read()));
      }
      client.send(said.get(2));
      assertThat(client.read().getState()).isEqualTo(SaslState.SUCCESS);
      thief.negotiate();
      try {
        for (RpcSaslProto word : said) {
          thief.send(word);
          assertThat(thief.read().getState()).isNotEqualTo(SaslState.SUCCESS);
        }
      } catch (IOException e) {
        thief.readToEnd(); // refused
      }
      security.await("Auth failed for 127\\.0\\.0\\.1:");
    }
  }
}
