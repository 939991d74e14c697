package io.acaciafs.namenode.ha;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.hdfs.protocol.proto.DatanodeProtocolProtos.BlockReceivedAndDeletedRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.DatanodeProtocolProtos.HeartbeatRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.DatanodeProtocolProtos.RegisterDatanodeRequestProto;
import org.junit.jupiter.api.Test;

/** What a NameNode that stands by keeps of what DataNodes say, without their registrations. */
class HeardDatanodesTest {
  private static final String NODE = "uuid-1";

  private long nowMs = 1_000_000;
  private boolean led;
  private final HeardDatanodes heard = new HeardDatanodes(() -> nowMs, () -> led);
  private final List<String> told = new ArrayList<>();

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
        public void report(BlockReceivedAndDeletedRequestProto report) {
          told.add("report");
        }
      };

  private void heartbeat(boolean isLed) {
    led = isLed;
    heard.heartbeat(NODE, HeartbeatRequestProto.getDefaultInstance());
  }

  private void report() {
    heard.report(NODE, BlockReceivedAndDeletedRequestProto.getDefaultInstance());
  }

  private void register() {
    heard.registered(
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
}
