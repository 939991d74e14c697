package io.acaciafs.kv.hbase.region;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.acaciafs.kv.Peers;
import io.acaciafs.kv.StoreException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionInfoBuilder;
import org.junit.jupiter.api.Test;

/** Which assignments a process knows, believes, and announces to others. */
class AssignmentsTest {
  private static final byte[] LOW = {1};
  private static final byte[] HIGH = {9};

  private final Assignments assignments = new Assignments();
  private final List<String> told = new ArrayList<>();
  private final List<CompletableFuture<List<String>>> answers = new ArrayList<>();
  private boolean leaseHolds = true;

  private final Peers peers =
      new Peers() {
        @Override
        public CompletableFuture<List<String>> tell(String message) {
          told.add(message);
          CompletableFuture<List<String>> answer = new CompletableFuture<>();
          answers.add(answer);
          return answer;
        }

        @Override
        public boolean leaseHolds() {
          return leaseHolds;
        }
      };

  @Test
  void aLoneProcessBelievesWhatItKnows() {
    Assignment whole = assignments.take(place("", "", "one", 1));
    assertThat(assignments.of(LOW)).isSameAs(whole);
    assertThat(assignments.mayRelyOn(whole)).isTrue();
    assertThat(assignments.announced(whole)).isCompleted();
    assertThat(told).isEmpty();
  }

  @Test
  void theSameOneIsKept() {
    Assignment whole = assignments.take(place("", "", "one", 1));
    assertThat(assignments.take(place("", "", "one", 1))).isSameAs(whole);
  }

  @Test
  void aHigherNumberEndsWhatItOverlaps() {
    Assignment whole = assignments.take(place("", "", "one", 1));
    Assignment half = assignments.take(place("", "05", "two", 2));
    assertThat(whole.isOver()).isTrue();
    assertThat(assignments.of(LOW)).isSameAs(half);
    assertThat(assignments.of(HIGH)).isNull();
  }

  @Test
  void aLowerNumberIsNotTaken() {
    assignments.take(place("", "05", "one", 4));
    assertThat(assignments.take(place("", "", "two", 3))).isNull();
    assertThat(assignments.take(place("05", "", "two", 3))).isNotNull();
  }

  @Test
  void anOldPlaceIsNotTakenAgain() {
    HRegionLocation first = place("", "", "one", 1);
    assignments.take(first);
    assignments.take(place("", "", "two", 2));
    assertThat(assignments.of(first)).isNull();
  }

  @Test
  void whatIsHeardEndsWhatIsOlder() {
    assignments.bind();
    Assignment low = assignments.take(place("", "05", "one", 4));
    Assignment high = assignments.take(place("05", "", "one", 5));
    assertThat(assignments.receive("01:05:6")).isCompletedWithValue("");
    assertThat(low.isOver()).isTrue();
    assertThat(high.isOver()).isFalse();
    assertThat(assignments.take(place("", "05", "one", 4))).isNull();
  }

  @Test
  void anOlderAnnouncementIsRefused() {
    assignments.take(place("", "05", "one", 4));
    assertThat(assignments.receive("::3,05::1,:05:4")).isCompletedWithValue("0");
  }

  @Test
  void whatMakesNoSenseIsRefused() {
    for (String message : List.of("", "x:y:1", "01:02", "01:02:z")) {
      assertThatThrownBy(() -> assignments.receive(message)).isInstanceOf(StoreException.class);
    }
  }

  @Test
  void aConfirmingProcessHasNoRequestInFlightByTheOldAssignment() {
    assignments.bind();
    Assignment whole = assignments.take(place("", "", "one", 1));
    assertThat(whole.enter()).isTrue();
    CompletableFuture<String> heard = assignments.receive("::2");
    CompletableFuture<String> repeated = assignments.receive("::2");
    assertThat(whole.isOver()).isTrue();
    assertThat(whole.enter()).isFalse();
    assertThat(List.of(heard, repeated)).noneMatch(CompletableFuture::isDone);
    whole.leave();
    assertThat(List.of(heard, repeated)).allMatch(CompletableFuture::isDone);
  }

  @Test
  void whatIsNewIsToldAndWaitedFor() {
    assignments.bind();
    Assignment whole = assignments.take(place("", "", "one", 7));
    CompletableFuture<Void> announced = assignments.announced(whole);
    assertThat(told).as("nobody can be told yet").isEmpty();
    assertThat(assignments.announcedToRead(whole)).isCompleted();
    assignments.connect(peers);
    assertThat(told).containsExactly("::7");
    assertThat(assignments.announcedToRead(whole)).isNotDone();
    assertThat(assignments.announced(whole)).isNotDone();
    answers.get(0).complete(List.of("", ""));
    assertThat(announced).isCompleted();
    assertThat(assignments.announced(whole)).isCompleted();
    assertThat(told).hasSize(1);
  }

  @Test
  void ownWritesByTheOneBeforeAreWaitedForToo() {
    assignments.bind();
    assignments.connect(peers);
    Assignment before = assignments.take(place("", "", "one", 1));
    before.enter();
    Assignment next = assignments.take(place("", "", "two", 2));
    CompletableFuture<Void> announced = assignments.announced(next);
    answers.get(0).complete(List.of());
    assertThat(announced).isNotDone();
    before.leave();
    assertThat(announced).isCompleted();
  }

  @Test
  void manyAreToldTogether() {
    assignments.bind();
    assignments.connect(peers);
    assignments.announced(assignments.take(place("", "03", "one", 1)));
    Assignment second = assignments.take(place("03", "05", "one", 2));
    Assignment third = assignments.take(place("05", "", "one", 3));
    final CompletableFuture<Void> ofSecond = assignments.announced(second);
    final CompletableFuture<Void> ofThird = assignments.announced(third);
    assertThat(told).containsExactly(":03:1");
    answers.get(0).complete(List.of());
    assertThat(told).containsExactly(":03:1", "03:05:2,05::3");
    answers.get(1).complete(List.of("", "1"));
    assertThat(ofSecond).isCompleted();
    assertThat(ofThird).isCompletedExceptionally();
    assertThat(third.isOver()).as("others know better").isTrue();
    assertThat(second.isAnnounced()).isTrue();
  }

  @Test
  void whatWasNotToldIsToldAgain() {
    assignments.bind();
    assignments.connect(peers);
    Assignment whole = assignments.take(place("", "", "one", 1));
    CompletableFuture<Void> announced = assignments.announced(whole);
    answers.get(0).completeExceptionally(new java.io.IOException("no answer"));
    assertThat(announced).isCompletedExceptionally();
    assertThat(whole.isOver()).isFalse();
    assignments.announced(whole);
    answers.get(1).complete(List.of());
    assertThat(whole.isAnnounced()).isTrue();
  }

  @Test
  void believedIsWhatIsProvenWhileTheLeaseHolds() {
    assignments.bind();
    assignments.connect(peers);
    Assignment whole = assignments.take(place("", "", "one", 1));
    assertThat(assignments.mayRelyOn(whole)).isFalse();
    whole.noteProven();
    assertThat(assignments.mayRelyOn(whole)).isTrue();
    leaseHolds = false;
    assertThat(assignments.mayRelyOn(whole)).isFalse();
    leaseHolds = true;
    assignments.receive("::2");
    assertThat(assignments.mayRelyOn(whole)).isFalse();
  }

  @Test
  void aProofIsSharedByReadsThatNeededItBeforeItWasSent() {
    Assignment whole = assignments.take(place("", "", "one", 1));
    List<CompletableFuture<Boolean>> sent = new ArrayList<>();
    Assignment.Proof proof =
        by -> {
          CompletableFuture<Boolean> outcome = new CompletableFuture<>();
          sent.add(outcome);
          return outcome;
        };
    final CompletableFuture<Boolean> first = whole.prove(proof);
    final CompletableFuture<Boolean> second = whole.prove(proof);
    final CompletableFuture<Boolean> third = whole.prove(proof);
    assertThat(sent).hasSize(1);
    sent.get(0).complete(true);
    assertThat(first).isCompletedWithValue(true);
    assertThat(List.of(second, third)).noneMatch(CompletableFuture::isDone);
    assertThat(sent).hasSize(2);
    sent.get(1).complete(false);
    assertThat(List.of(second, third)).allMatch(asked -> !asked.join());
    assertThat(sent).hasSize(2);
  }

  private static HRegionLocation place(String start, String end, String server, long number) {
    RegionInfo region =
        RegionInfoBuilder.newBuilder(TableName.valueOf("t"))
            .setStartKey(java.util.HexFormat.of().parseHex(start))
            .setEndKey(java.util.HexFormat.of().parseHex(end))
            .setRegionId(1)
            .build();
    return new HRegionLocation(region, ServerName.valueOf(server, 1, 1), number);
  }
}
