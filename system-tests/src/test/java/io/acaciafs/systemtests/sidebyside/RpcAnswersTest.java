package io.acaciafs.systemtests.sidebyside;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.apache.hadoop.thirdparty.protobuf.Descriptors.FieldDescriptor;
import org.apache.hadoop.thirdparty.protobuf.Message;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer.OrderAnnotation;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;

/**
 * RPC calls get the same answers as from Hadoop's NameNode, and wrong calls the same exceptions
 * with the same texts. Further requests are lines of {@code client-requests.txt} and {@code
 * other-requests.txt}; {@link BadValues} has further values; {@code -Dacacia.answers.random=N
 * -Dacacia.answers.seed=S} adds random requests; {@code -Dacacia.answers.only=REGEX} calls the
 * methods of that name alone in the first two tests.
 */
@TestMethodOrder(OrderAnnotation.class)
class RpcAnswersTest {
  private static final int RANDOM_REQUESTS = Integer.getInteger("acacia.answers.random", 400);
  private static final long SEED = Long.getLong("acacia.answers.seed", 29);
  private static final int MAX_CHANGES = 3;

  /** Which methods of the tables are called; for a quick look at few. */
  private static final String ONLY = System.getProperty("acacia.answers.only", ".*");

  private static SideBySide both;
  private static KnownDifferences known;

  @BeforeAll
  static void start() throws Exception {
    known = new KnownDifferences("known-differences.txt");
    both = new SideBySide("rpc-answers", known);
  }

  @AfterAll
  static void stop() throws Exception {
    both.close();
  }

  @AfterEach
  void sameAsHdfs() {
    assertThat(both.takeDifferences()).isEmpty();
  }

  @Test
  @Order(1)
  void clientsAreAnsweredAsByHdfs() throws Exception {
    compareAll("client-requests.txt");
  }

  @Test
  @Order(2)
  void othersAreAnsweredAsByHdfs() throws Exception {
    compareAll("other-requests.txt");
  }

  private static void compareAll(String file) throws IOException {
    for (Request request : RequestTable.read(file)) {
      if (!request.method().matches(ONLY)) {
        continue;
      }
      List<Request> requests = new ArrayList<>(List.of(request));
      requests.addAll(BadValues.variationsOf(request, request.build(both.ours().values())));
      for (Request variation : requests) {
        for (String user : both.usersFor(variation)) {
          both.compare(user, variation);
        }
      }
    }
  }

  /** Each is a request of the table in which some fields, also several at once, are changed. */
  @Test
  @Order(3)
  void whatIsMadeUpIsAnsweredAsByHdfs() throws Exception {
    Random random = new Random(SEED);
    List<Request> table = RequestTable.read("client-requests.txt");
    for (int i = 0; i < RANDOM_REQUESTS; i++) {
      Request request = table.get(random.nextInt(table.size()));
      int changes = 1 + random.nextInt(MAX_CHANGES);
      for (int change = 0; change < changes; change++) {
        request = changed(request, random);
      }
      List<String> users = List.of(both.superuser(), FixtureTree.ALICE, FixtureTree.BOB);
      both.compare(users.get(random.nextInt(users.size())), request);
    }
  }

  private static Request changed(Request request, Random random) {
    Message prototype = request.prototype();
    List<FieldDescriptor> fields =
        prototype.getDescriptorForType().getFields().stream()
            .filter(field -> field.getJavaType() != FieldDescriptor.JavaType.MESSAGE)
            .toList();
    if (fields.isEmpty()) {
      return request;
    }
    FieldDescriptor field = fields.get(random.nextInt(fields.size()));
    List<Object> values = BadValues.of(field);
    return request.with(
        new Request.Change(List.of(field.getName()), values.get(random.nextInt(values.size()))));
  }

  @Test
  @Order(4)
  void safeModeRefusesAsInHdfs() throws Exception {
    both.compare(both.superuser(), new Request("setSafeMode", "action: SAFEMODE_ENTER"));
    List<Request> requests = new ArrayList<>(RequestTable.read("client-requests.txt"));
    requests.addAll(RequestTable.read("safe-mode-requests.txt"));
    for (Request request : requests) {
      for (String user : List.of(both.superuser(), FixtureTree.ALICE)) {
        both.compareInSafeMode(user, request);
      }
    }
    both.compare(FixtureTree.ALICE, new Request("setSafeMode", "action: SAFEMODE_LEAVE"));
    both.compare(both.superuser(), new Request("setSafeMode", "action: SAFEMODE_LEAVE"));
  }

  /** A difference that is none any more is to be taken from the list. */
  @Test
  @Order(5)
  void allKnownDifferencesAreStillThere() {
    assertThat(known.obsolete()).isEmpty();
  }
}
