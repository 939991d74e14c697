package io.acaciafs.systemtests.sidebyside;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.locks.LockSupport;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.AddBlockResponseProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.CompleteResponseProto;
import org.apache.hadoop.hdfs.protocol.proto.HdfsProtos.ExtendedBlockProto;
import org.apache.hadoop.hdfs.protocolPB.PBHelperClient;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * After the same steps the beans of Acacia have the values of those of Hadoop's NameNode. {@code
 * bean-differences.txt} lists the attributes of which that cannot hold, each with its reason.
 */
@Timeout(300)
class BeanValuesTest {
  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final long POLL_NANOS = Duration.ofMillis(200).toNanos();
  private static final int BLOCK_BYTES = 1000;
  private static final String QUERY = "/jmx?qry=Hadoop:service=NameNode,name=*";
  private static final ObjectMapper JSON = new ObjectMapper();

  @Test
  void areThoseOfHdfsAfterTheSameSteps() throws Exception {
    BeanDifferences differences = new BeanDifferences("bean-differences.txt");
    try (SideBySide both =
        new SideBySide("bean-values", new KnownDifferences("known-differences.txt"))) {
      for (Side side : List.of(both.ours(), both.hadoops())) {
        act(side, both.superuser());
      }
      assertThat(whatStays(differences, both)).isEmpty();
    }
  }

  private static void act(Side side, String user) throws IOException {
    side.run(user, "rename", "src: '/t/file' dst: '/t/wide/renamed'");
    side.run(user, "delete", "src: '/t/dir' recursive: true");
    side.run(user, "getFileInfo", "src: '/t/data'");
    side.run(user, "getBlockLocations", "src: '/t/data' offset: 0 length: 100");
    side.run(user, "setReplication", "src: '/t/data' replication: 2");
    ExtendedBlockProto lost = write(side, user, "/t/lost");
    side.datanode().lose(PBHelperClient.convert(lost).getLocalBlock());
    ExtendedBlockProto corrupt = write(side, user, "/t/corrupt");
    side.run(
        user,
        "reportBadBlocks",
        "blocks { b { "
            + Side.text(corrupt)
            + " } offset: 0 corrupt: false blockToken {"
            + " identifier: '' password: '' kind: '' service: '' }"
            + " locs { id { $datanode } } storageIDs: '$storage' }");
  }

  private static ExtendedBlockProto write(Side side, String user, String path) throws IOException {
    String file = "src: '" + path + "' clientName: 'writer'";
    side.run(
        user,
        "create",
        file
            + " masked { perm: 0644 } createFlag: 1 createParent: false replication: 1"
            + " blockSize: 1048576");
    AddBlockResponseProto added = (AddBlockResponseProto) side.run(user, "addBlock", file);
    ExtendedBlockProto block = added.getBlock().getB().toBuilder().setNumBytes(BLOCK_BYTES).build();
    side.datanode().receive(PBHelperClient.convert(block).getLocalBlock());
    String complete = file + " last { " + Side.text(block) + " }";
    long deadline = System.nanoTime() + LIMIT.toNanos();
    while (!((CompleteResponseProto) side.run(user, "complete", complete)).getResult()) {
      assertThat(System.nanoTime()).as("in time").isLessThan(deadline);
    }
    return block;
  }

  /** Some figures follow a moment later: compares until there is no difference left. */
  private static List<String> whatStays(BeanDifferences differences, SideBySide both)
      throws IOException {
    long deadline = System.nanoTime() + LIMIT.toNanos();
    while (true) {
      List<String> left =
          differences.between(
              values(both.hadoops(), both.superuser()), values(both.ours(), both.superuser()));
      if (left.isEmpty() || System.nanoTime() > deadline) {
        return left;
      }
      LockSupport.parkNanos(POLL_NANOS);
    }
  }

  /**
   * All attributes, by the names of bean and attribute; of structured ones each field. Beside them
   * the figures that clients ask for by RPC.
   */
  private static Map<String, String> values(Side side, String user) throws IOException {
    Map<String, String> values = new TreeMap<>();
    for (String call : List.of("getFsStats", "getFsReplicatedBlockStats")) {
      for (String line : side.ask(user, new Request(call, "")).text().split("\n")) {
        String[] parts = line.split(": ", 2);
        values.put("RPC " + call + "/" + parts[0], parts[1]);
      }
    }
    URI uri = URI.create("http://127.0.0.1:" + side.cluster().httpPort() + QUERY);
    try (InputStream in = uri.toURL().openStream()) {
      for (JsonNode bean : JSON.readTree(in).get("beans")) {
        String name =
            bean.get("name")
                .asText()
                .replaceFirst(".*name=", "")
                .replaceFirst("ForPort\\d+", "ForPort")
                .replaceFirst("HttpServer2-\\d+", "HttpServer2");
        bean.fields()
            .forEachRemaining(
                field -> flatten(name + " " + field.getKey(), field.getValue(), values));
      }
    }
    return values;
  }

  private static void flatten(String name, JsonNode value, Map<String, String> values) {
    JsonNode structure = value.isTextual() ? structureIn(value.asText()) : value;
    if (structure != null && structure.isObject() && !structure.isEmpty()) {
      structure
          .fields()
          .forEachRemaining(
              field -> flatten(name + "/" + field.getKey(), field.getValue(), values));
    } else if (structure != null && structure.isArray() && !structure.isEmpty()) {
      for (int i = 0; i < structure.size(); i++) {
        JsonNode element = structure.get(i);
        flatten(name + "/" + element.path("opType").asText(String.valueOf(i)), element, values);
      }
    } else if (!value.isNull()) {
      values.put(name, value.isNumber() ? String.valueOf(value.doubleValue()) : value.asText());
    }
  }

  /** HDFS shows structures as JSON in a text. */
  private static JsonNode structureIn(String text) {
    try {
      return text.startsWith("{") || text.startsWith("[") ? JSON.readTree(text) : null;
    } catch (IOException e) {
      return null; // a text that only begins like one
    }
  }
}
