package io.acaciafs.namenode.ha;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.hdfs.protocol.DatanodeID;
import org.apache.hadoop.hdfs.protocol.proto.DatanodeProtocolProtos.BlockReceivedAndDeletedRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.DatanodeProtocolProtos.HeartbeatRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.DatanodeProtocolProtos.RegisterDatanodeRequestProto;
import org.apache.hadoop.hdfs.protocolPB.PBHelper;
import org.apache.hadoop.hdfs.security.token.block.ExportedBlockKeys;
import org.apache.hadoop.hdfs.server.common.HdfsServerConstants.NodeType;
import org.apache.hadoop.hdfs.server.common.StorageInfo;
import org.apache.hadoop.hdfs.server.protocol.DatanodeRegistration;
import org.junit.jupiter.api.Test;

/** What a NameNode that stands by keeps of what DataNodes say. */
class HeardDatanodesTest {
  private static final String NODE = "uuid-1";
  private static final BlockReceivedAndDeletedRequestProto REPORT =
      BlockReceivedAndDeletedRequestProto.newBuilder()
          .setRegistration(
              PBHelper.convert(
                  new DatanodeRegistration(
                      new DatanodeID("127.0.0.1", "one", NODE, 1, 2, 3, 4),
                      new StorageInfo(NodeType.DATA_NODE),
                      new ExportedBlockKeys(),
                      "3.5.0")))
          .setBlockPoolId("BP-1")
          .build();

  private long nowMs = 1_000_000;
  private boolean led;
  private HeardDatanodes heard = new HeardDatanodes(() -> nowMs, () -> led, Long.MAX_VALUE);
  private final List<String> told = new ArrayList<>();

  /** Whether reports are durable. */
  private CompletableFuture<?> stored = CompletableFuture.completedFuture(null);

  private final HeardDatanodes.Listener listener =
      new HeardDatanodes.Listener() {
        @Override
        public void registration(HeardDatanodes.Registration registration) {
          told.add("registration");
        }

        @Override
        public void heartbeat(HeartbeatRequestProto heartbeat) {
          told.add("heartbeat");
        }

        @Override
        public CompletableFuture<?> report(BlockReceivedAndDeletedRequestProto report) {
          told.add("report");
          return stored;
        }
      };

  private void heartbeat(boolean isLed) {
    led = isLed;
    heard.heartbeat(NODE, HeartbeatRequestProto.getDefaultInstance());
  }

  private boolean report() {
    return heard.report(NODE, REPORT);
  }

  private boolean register() {
    return heard.registered(
        NODE,
        new HeardDatanodes.Registration(
            RegisterDatanodeRequestProto.getDefaultInstance(), "127.0.0.1"));
  }

  private Set<String> takeOver() {
    return heard.takeOver(listener);
  }

  @Test
  void theLastWordsAreToldInTheirOrder() {
    register();
    report();
    heartbeat(true);
    report();
    takeOver();
    assertThat(told).containsExactly("registration", "heartbeat", "report", "report");
    told.clear();
    takeOver();
    assertThat(told).isEmpty();
  }

  @Test
  void whatTheLeaderHasStoredForLongIsForgotten() {
    report();
    nowMs += HeardDatanodes.REPORTS_KEPT_MS + 1;
    report();
    takeOver();
    assertThat(told).containsExactly("report");
  }

  @Test
  void ofADataNodeThatSpokeWhileALeaderWasThereAllIsKnown() {
    heartbeat(true);
    nowMs += HeardDatanodes.STORED_AFTER_MS;
    heartbeat(true);
    heartbeat(false); // the leader has died
    assertThat(takeOver()).containsExactly(NODE);
  }

  /** What it could not store while it led comes again, and then it is known. */
  @Test
  void ofWhomAllIsKnownAllIsKnownWhenThisNameNodeLeadsTwice() {
    heartbeat(true);
    nowMs += HeardDatanodes.STORED_AFTER_MS;
    heartbeat(true);
    takeOver();
    assertThat(takeOver()).containsExactly(NODE);
  }

  /** Nobody would tell it: it must not be acknowledged. */
  @Test
  void whatComesWhenTheRestWasToldIsRefusedUntilThisNameNodeStandsBy() {
    assertThat(register()).isTrue();
    assertThat(report()).isTrue();
    takeOver();
    assertThat(report()).isFalse();
    assertThat(register()).isFalse();
    assertThat(heard.report("uuid-2", REPORT)).as("of another one").isFalse();
    heard.standBy();
    assertThat(report()).isTrue();
    told.clear();
    takeOver();
    assertThat(told).containsExactly("report");
  }

  private void leadOnceWithAReport(CompletableFuture<?> isStored) {
    stored = isStored;
    heartbeat(true);
    nowMs += HeardDatanodes.STORED_AFTER_MS;
    heartbeat(true);
    report();
    assertThat(takeOver()).containsExactly(NODE);
    heard.standBy();
    heartbeat(false);
  }

  @Test
  void aReportThatIsDurableIsNotMissed() {
    leadOnceWithAReport(CompletableFuture.completedFuture(null));
    assertThat(takeOver()).containsExactly(NODE);
  }

  @Test
  void aReportThatWasNotDurableWhenTheTermEndedIsMissed() {
    CompletableFuture<?> isStored = new CompletableFuture<>();
    leadOnceWithAReport(isStored);
    assertThat(takeOver()).isEmpty();
  }

  /** The next leader has heard it too, and has stored it by then. */
  @Test
  void aReportThatCouldNotBeStoredIsMissedUntilAnotherNameNodeHasLed() {
    leadOnceWithAReport(CompletableFuture.failedFuture(new IOException("Another one leads")));
    assertThat(takeOver()).isEmpty();
    heard.standBy();
    heartbeat(true);
    nowMs += HeardDatanodes.STORED_AFTER_MS;
    heartbeat(true);
    assertThat(takeOver()).containsExactly(NODE);
  }

  /** As when all are started at once. */
  @Test
  void whatWasSaidToAnEarlierProcessAndADeadLeaderIsNotKnown() {
    heartbeat(false);
    nowMs += HeardDatanodes.STORED_AFTER_MS;
    heartbeat(false);
    assertThat(takeOver()).isEmpty();
  }

  @Test
  void aLeaderThatDiedSoonAfterTheStartMayNotHaveStoredWhatWasSaidBefore() {
    heartbeat(true);
    nowMs += HeardDatanodes.STORED_AFTER_MS - 1;
    heartbeat(true);
    nowMs += HeardDatanodes.STORED_AFTER_MS;
    heartbeat(false);
    assertThat(takeOver()).isEmpty();
  }

  @Test
  void whoStartsOrSaysTooMuchIsNotKnownForAWhile() {
    heartbeat(true);
    nowMs += HeardDatanodes.STORED_AFTER_MS;
    heartbeat(true);
    register();
    assertThat(takeOver()).isEmpty();

    heard.standBy();
    heartbeat(true);
    nowMs += HeardDatanodes.STORED_AFTER_MS;
    heartbeat(true);
    for (int i = 0; i <= HeardDatanodes.MOST_REPORTS; i++) {
      report();
    }
    assertThat(takeOver()).isEmpty();
  }

  /** As with many writers: the leader has stored the first of so many reports long ago. */
  @Test
  void ofABusyDataNodeAllIsKnown() {
    for (int i = 0; i <= 3 * HeardDatanodes.MOST_REPORTS; i++) {
      nowMs += 2 * HeardDatanodes.STORED_AFTER_MS / HeardDatanodes.MOST_REPORTS;
      if (i % 500 == 0) {
        heartbeat(true);
      }
      report();
    }
    for (int i = 0; i < 200; i++) { // to a leader that has just died
      report();
    }
    heartbeat(false);
    assertThat(takeOver()).containsExactly(NODE);
    assertThat(told).hasSize(1 + HeardDatanodes.MOST_REPORTS);
  }

  @Test
  void whatWasSaidToADeadLeaderAloneIsNotKnown() {
    heartbeat(true);
    nowMs += HeardDatanodes.STORED_AFTER_MS;
    heartbeat(true);
    led = false;
    for (int i = 0; i <= HeardDatanodes.MOST_REPORTS; i++) {
      nowMs += 1 + HeardDatanodes.STORED_AFTER_MS / HeardDatanodes.MOST_REPORTS;
      report();
    }
    assertThat(takeOver()).isEmpty();
  }

  /** Else it would be asked for a full report when this NameNode leads for the first time. */
  @Test
  void aDataNodeThatRegisteredLongAgoIsNotTakenForOneThatHasStarted() {
    register();
    nowMs += HeardDatanodes.REPORTS_KEPT_MS + 1;
    heartbeat(true);
    assertThat(takeOver()).containsExactly(NODE);
    assertThat(told).containsExactly("heartbeat");
  }

  @Test
  void aDataNodeThatRegisteredLatelyIsTakenForOneThatHasStarted() {
    register();
    nowMs += HeardDatanodes.REPORTS_KEPT_MS;
    heartbeat(true);
    takeOver();
    assertThat(told).containsExactly("registration", "heartbeat");
  }

  @Test
  void theReportsOfAllTakeALimitedAmountOfMemory() {
    heard = new HeardDatanodes(() -> nowMs, () -> led, 0);
    heartbeat(true);
    nowMs += HeardDatanodes.STORED_AFTER_MS;
    heartbeat(true);
    report();
    assertThat(takeOver()).as("what it said is not kept").isEmpty();
    assertThat(told).containsExactly("heartbeat");
  }
}
