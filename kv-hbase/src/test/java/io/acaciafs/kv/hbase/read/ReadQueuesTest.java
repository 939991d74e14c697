package io.acaciafs.kv.hbase.read;

import static org.assertj.core.api.Assertions.assertThat;

import io.acaciafs.kv.hbase.client.RequestLimiter;
import io.acaciafs.kv.hbase.region.Assignment;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.RegionInfoBuilder;
import org.junit.jupiter.api.Test;

/** Which reads share a request, and when it is sent. */
class ReadQueuesTest {
  private static final ServerName ONE = ServerName.valueOf("one", 1, 1);
  private static final int PERMITS = 10;
  private static final ServerName OTHER = ServerName.valueOf("other", 1, 1);

  private final List<Sent> sent = new ArrayList<>();
  private final Deque<Runnable> others = new ArrayDeque<>();

  /** Ends when all that is under way has taken long. */
  private final CompletableFuture<Boolean> longTime = new CompletableFuture<>();

  private final RequestLimiter limiter = limiterOf(PERMITS);
  private final ReadQueues queues = new ReadQueues(this::note, limiter, this::runOthers);

  /** A request, which comes back when a test says so. */
  private record Sent(ServerName server, List<PendingRead> reads, CompletableFuture<Void> back) {
    List<Integer> rows() {
      return reads.stream().map(read -> (int) read.row()[0]).toList();
    }

    void comeBack() {
      back.complete(null);
    }
  }

  private CompletableFuture<Void> note(ServerName server, List<PendingRead> reads) {
    Sent request = new Sent(server, List.copyOf(reads), new CompletableFuture<>());
    sent.add(request);
    return request.back();
  }

  @Test
  void aLoneReadIsSentAtOnce() {
    ask(ONE, 1);
    assertThat(sent).hasSize(1);
    sent.get(0).comeBack();
    ask(ONE, 2);
    assertThat(sent).hasSize(2);
    assertThat(sent.get(1).rows()).containsExactly(2);
  }

  private void runOthers() {
    while (!others.isEmpty()) {
      others.remove().run();
    }
  }

  @Test
  void readsThatAreAboutToComeShareTheFirstRequest() {
    others.add(() -> ask(ONE, 2));
    others.add(() -> ask(ONE, 3));
    ask(ONE, 1);
    assertThat(sent).hasSize(1);
    assertThat(sent.get(0).rows()).containsExactly(1, 2, 3);
  }

  @Test
  void howeverManyComeBeforeTheFirstIsSentTheyGoWithIt() {
    for (int i = 1; i < ReadQueues.READS_WORTH_A_REQUEST; i++) {
      int row = i;
      others.add(() -> ask(ONE, row));
    }
    ask(ONE, 99);
    assertThat(sent).hasSize(1);
    assertThat(sent.get(0).rows()).startsWith(99).hasSize(ReadQueues.READS_WORTH_A_REQUEST);
    sent.get(0).comeBack();
    ask(ONE, 5);
    assertThat(sent).as("nobody is thought to be under way").hasSize(2);
  }

  @Test
  void whatComesMeanwhileWaitsAndGoesTogether() {
    ask(ONE, 1);
    ask(ONE, 2);
    ask(ONE, 3);
    assertThat(sent).hasSize(1);
    sent.get(0).comeBack();
    assertThat(sent).hasSize(2);
    assertThat(sent.get(1).rows()).containsExactly(2, 3);
  }

  @Test
  void aServerDoesNotWaitForAnother() {
    ask(ONE, 1);
    ask(OTHER, 2);
    assertThat(sent).extracting(Sent::server).containsExactly(ONE, OTHER);
  }

  @Test
  void enoughWaitingReadsAreSentWithoutFurtherWait() {
    ask(ONE, 0);
    for (int i = 1; i < ReadQueues.READS_WORTH_A_REQUEST; i++) {
      ask(ONE, i);
    }
    assertThat(sent).hasSize(1);
    ask(ONE, ReadQueues.READS_WORTH_A_REQUEST);
    assertThat(sent).hasSize(2);
    assertThat(sent.get(1).reads()).hasSize(ReadQueues.READS_WORTH_A_REQUEST);
  }

  @Test
  void onlySoManyAreUnderWay() {
    int enough = 1 + ReadQueues.READS_WORTH_A_REQUEST * (ReadQueues.MOST_IN_FLIGHT + 1);
    for (int i = 0; i < enough; i++) {
      ask(ONE, i % 100);
    }
    assertThat(sent).hasSize(ReadQueues.MOST_IN_FLIGHT);
    sent.get(3).comeBack();
    assertThat(sent).hasSize(ReadQueues.MOST_IN_FLIGHT + 1);
  }

  @Test
  void readsThatComeBeforeThePermitShareARequest() {
    for (int i = 0; i < PERMITS; i++) {
      ask(server(i), i);
    }
    ask(server(51), 51);
    ask(server(50), 50);
    ask(server(51), 52);
    assertThat(sent).hasSize(PERMITS);
    sent.get(1).comeBack();
    sent.get(0).comeBack();
    assertThat(sent).hasSize(PERMITS + 2);
    assertThat(sent.get(PERMITS).rows()).containsExactly(51, 52);
    assertThat(sent.get(PERMITS + 1).rows()).containsExactly(50);
  }

  @Test
  void aServerThatDoesNotAnswerDelaysNoReadElsewhere() {
    ReadQueues narrow = new ReadQueues(this::note, limiterOf(1), this::runOthers);
    narrow.send(ONE, List.of(read(1)));
    narrow.send(OTHER, List.of(read(2)));
    assertThat(sent).hasSize(1);
    longTime.complete(true);
    assertThat(sent).hasSize(2);
  }

  @Test
  void readsBehindASlowRequestAreSent() {
    ask(ONE, 1);
    ask(ONE, 2);
    assertThat(sent).hasSize(1);
    longTime.complete(true);
    assertThat(sent).hasSize(2);
  }

  @Test
  void aRequestHasSoManyRowsAtMost() {
    int rows = 3 * ReadQueues.MOST_READS;
    for (int i = 0; i < rows + ReadQueues.MOST_IN_FLIGHT * ReadQueues.MOST_READS; i++) {
      ask(ONE, i % 100);
    }
    for (int i = 0; i < sent.size(); i++) {
      assertThat(sent.get(i).reads()).hasSizeLessThanOrEqualTo(ReadQueues.MOST_READS);
      sent.get(i).comeBack(); // has others sent
    }
    assertThat(sent.stream().mapToInt(request -> request.reads().size()).sum())
        .isEqualTo(rows + ReadQueues.MOST_IN_FLIGHT * ReadQueues.MOST_READS);
  }

  @Test
  void readsOfOneCallStayTogether() {
    int many = 2 * ReadQueues.MOST_READS;
    ask(ONE, 1);
    ask(ONE, IntStream.range(0, ReadQueues.READS_WORTH_A_REQUEST - 1).toArray());
    ask(ONE, IntStream.generate(() -> 7).limit(many).toArray());
    assertThat(sent.stream().map(request -> request.reads().size()))
        .as("what does not fit has its own request")
        .containsExactly(1, ReadQueues.READS_WORTH_A_REQUEST - 1, many);
  }

  @Test
  void aFailedRequestDelaysNoOther() {
    ask(ONE, 1);
    ask(ONE, 2);
    sent.get(0).back().completeExceptionally(new IllegalStateException());
    assertThat(sent).hasSize(2);
  }

  @Test
  void whatCannotBeSentFailsAndTheNextIsSent() {
    IllegalStateException closed = new IllegalStateException("closed");
    ReadQueues failing =
        new ReadQueues(
            (server, reads) -> {
              note(server, reads);
              throw closed;
            },
            limiter,
            this::runOthers);
    for (int i = 0; i < 2; i++) {
      RowRead read = read(i);
      failing.send(ONE, List.of(read));
      assertThat(read.state()).isCompletedExceptionally();
    }
    assertThat(sent).hasSize(2);
  }

  private RequestLimiter limiterOf(int most) {
    return new RequestLimiter(most, longTime::copy, Runnable::run);
  }

  private void ask(ServerName server, int... rows) {
    queues.send(server, IntStream.of(rows).mapToObj(ReadQueuesTest::read).toList());
  }

  private static ServerName server(int number) {
    return ServerName.valueOf("server-" + number, 1, 1);
  }

  private static RowRead read(int row) {
    RowRead read = new RowRead(new byte[] {(byte) row}, false, 1_000);
    read.useAssignment(
        new Assignment(
            new HRegionLocation(
                RegionInfoBuilder.newBuilder(TableName.valueOf("t")).build(), ONE)));
    return read;
  }
}
