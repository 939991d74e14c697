package io.acaciafs.namenode.members;

import static java.time.ZoneOffset.UTC;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.acaciafs.kv.Key;
import io.acaciafs.kv.Session;
import io.acaciafs.kv.Store;
import io.acaciafs.kv.StoreException;
import io.acaciafs.kv.Transaction;
import io.acaciafs.kv.memory.Fault;
import io.acaciafs.kv.memory.Faults;
import io.acaciafs.kv.memory.MemoryStore;
import io.acaciafs.kv.testkit.Methods;
import java.io.IOException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Who counts as serving, and for how long, by a clock that the test moves. */
class StoredMembersTest {
  private static final Method FENCE_OFF = Methods.named(Session.class, "fenceOff");
  private static final Method SESSION = Methods.named(Store.class, "session");

  private static final long LEASE_MS = 10_000;
  private static final long RENEWAL_MS = LEASE_MS / 5;

  private final Faults faults = Faults.onDemand();
  private final MemoryStore store = new MemoryStore(faults);
  private final AtomicLong nowNs = new AtomicLong(Long.MAX_VALUE - 1_000); // it may overflow
  private final List<String> lost = new ArrayList<>();

  private StoredMembers join(String host) {
    return join(host, Clock.fixed(Instant.EPOCH, UTC));
  }

  private StoredMembers join(String host, Clock clock) {
    return join(host, store, clock);
  }

  private StoredMembers join(String host, Store through, Clock clock) {
    return join(host, through, clock, LastMember.unknown());
  }

  private StoredMembers join(String host, Store through, Clock clock, LastMember last) {
    return StoredMembers.join(
        through,
        host,
        8020,
        new LeaseTimes(LEASE_MS, clock, nowNs::get),
        new Random(1),
        last,
        () -> lost.add(host));
  }

  private void pass(long millis) {
    nowNs.addAndGet(TimeUnit.MILLISECONDS.toNanos(millis));
  }

  /** Time passes in which these renew and look as they should. */
  private void live(long millis, StoredMembers... members) {
    for (long passed = 0; passed < millis; passed += RENEWAL_MS) {
      pass(RENEWAL_MS);
      for (StoredMembers member : members) {
        member.tick();
      }
    }
  }

  @Test
  void membersFindEachOther() {
    StoredMembers one = join("one");
    StoredMembers two = join("two");
    List<String> heard = new ArrayList<>();
    one.onChange(() -> heard.add(one.live().toString()));

    assertThat(two.live()).extracting(Member::host).containsExactly("one", "two");
    live(RENEWAL_MS, one, two);
    assertThat(one.live()).isEqualTo(two.live());
    assertThat(heard).hasSize(1);
    assertThat(one.isFirst()).isTrue();
    assertThat(two.isFirst()).isFalse();
    assertThat(one.self().secret()).hasSize(32);
    assertThat(one.self()).asString().doesNotContain(one.self().secret());
  }

  @Test
  void whoEndsInOrderIsMissedAtTheNextLook() {
    StoredMembers one = join("one");
    StoredMembers two = join("two");
    one.close();
    live(RENEWAL_MS, two);
    assertThat(two.live()).containsExactly(two.self());
    assertThat(one.leaseHolds()).isFalse();
  }

  @Test
  void aNameNodeThatEndsInOrderOrComesBackIsNotDeparted() {
    StoredMembers one = join("one");
    StoredMembers two = join("two");
    StoredMembers three = join("three");
    live(2 * LEASE_MS, one, two, three);
    assertThat(one.departed()).isEmpty();
    three.close();
    live(2 * LEASE_MS, one, two);
    assertThat(one.departed()).isEmpty();

    live(2 * LEASE_MS, one); // and the second one is silent
    assertThat(one.departed()).extracting(DepartedMember::member).containsExactly(two.self());
    StoredMembers again = join("two");
    live(RENEWAL_MS, one, again);
    assertThat(one.departed()).isEmpty();
  }

  @Test
  void aNameNodeThatEndsWithoutAWordIsToldByAllForADay() {
    StoredMembers one = join("one");
    StoredMembers two = join("two");
    StoredMembers three = join("three");
    live(RENEWAL_MS, one, two, three);
    live(2 * LEASE_MS, two, three);
    for (StoredMembers each : List.of(two, three)) {
      assertThat(each.live()).doesNotContain(one.self());
      assertThat(each.departed()).extracting(DepartedMember::member).containsExactly(one.self());
    }
    pass(DepartedMembers.KEEP_MS - 2 * LEASE_MS);
    assertThat(two.departed()).hasSize(1);
    pass(2 * LEASE_MS);
    assertThat(two.departed()).isEmpty();
  }

  @Test
  void noMoreThanSomeDepartedAreKept() {
    StoredMembers one = join("one");
    for (int i = 0; i < DepartedMembers.MOST + 3; i++) {
      join("host" + i);
      live(2 * LEASE_MS, one);
    }
    assertThat(one.departed()).hasSize(DepartedMembers.MOST);
    assertThat(one.departed().get(0).member().host()).isEqualTo("host3");
  }

  /** As the lock of its folder shows that it has ended. */
  @Test
  void nobodyWaitsForTheLeaseOfAProcessThatHasASuccessorInItsFolder(@TempDir Path folder)
      throws IOException {
    Clock clock = Clock.fixed(Instant.EPOCH, UTC);
    Path boot = Files.writeString(folder.resolve("boot"), "one\n");
    StoredMembers one = join("one", store, clock, LastMember.in(folder, boot));
    StoredMembers two = join("two");
    assertThat(two.live()).contains(one.self());

    StoredMembers again = join("one", store, clock, LastMember.in(folder, boot));
    assertThat(again.live()).containsExactly(two.self(), again.self());
    live(RENEWAL_MS, two, again);
    assertThat(two.live()).containsExactly(two.self(), again.self());
    assertThat(again.leaseHolds()).isTrue();
  }

  /** That machine may have the folder by a network, and the process on the first one still runs. */
  @Test
  void aSuccessorOnAnotherMachineWaits(@TempDir Path folder) throws IOException {
    Clock clock = Clock.fixed(Instant.EPOCH, UTC);
    Path boot = Files.writeString(folder.resolve("boot"), "one\n");
    StoredMembers one = join("one", store, clock, LastMember.in(folder, boot));
    Files.writeString(boot, "two\n");
    StoredMembers again = join("one", store, clock, LastMember.in(folder, boot));
    assertThat(again.live()).containsExactly(one.self(), again.self());
    live(2 * LEASE_MS, again);
    assertThat(again.live()).containsExactly(again.self());
  }

  @Test
  void whatWasNotWrittenDownWholeDoesNotCount(@TempDir Path folder) throws IOException {
    Clock clock = Clock.fixed(Instant.EPOCH, UTC);
    Path boot = Files.writeString(folder.resolve("boot"), "one\n");
    StoredMembers one = join("one", store, clock, LastMember.in(folder, boot));
    Path file = folder.resolve("member");
    Files.writeString(file, Files.readString(file).strip());
    StoredMembers again = join("one", store, clock, LastMember.in(folder, boot));
    assertThat(again.live()).contains(one.self());
  }

  @Test
  void noNumberComesTwice() {
    StoredMembers one = join("one");
    one.close();
    StoredMembers again = join("one");
    assertThat(again.self().number()).isGreaterThan(one.self().number());
  }

  @Test
  void whoIsSilentForALeaseIsDeadAndNotBefore() {
    StoredMembers one = join("one");
    StoredMembers two = join("two");
    live(LEASE_MS - RENEWAL_MS, two);
    assertThat(two.live()).contains(one.self());
    live(2 * RENEWAL_MS, two);
    assertThat(two.live()).containsExactly(two.self());
    assertThat(lost).isEmpty();

    one.tick();
    assertThat(lost).containsExactly("one");
    assertThat(one.leaseHolds()).isFalse();
    one.tick();
    assertThat(lost).as("told once").containsExactly("one");
    live(3 * LEASE_MS, two);
    assertThat(two.live()).as("it does not come back").containsExactly(two.self());
  }

  /** Until it is certain that nothing it wrote arrives any more. */
  @Test
  void whoIsDeadCountsAsLiveUntilHeIsFencedOff() {
    Deque<CompletableFuture<Void>> fences = new ArrayDeque<>();
    StoredMembers one = join("one");
    StoredMembers two = join("two", fencing(fences), Clock.fixed(Instant.EPOCH, UTC));
    live(2 * LEASE_MS, two);
    assertThat(two.live()).contains(one.self());
    assertThat(fences).hasSize(1);
    one.tick();
    assertThat(lost).containsExactly("one");
    assertThat(join("three").live()).as("who joins fences off himself").doesNotContain(one.self());

    fences.remove().completeExceptionally(new StoreException("no answer"));
    live(RENEWAL_MS, two);
    assertThat(two.live()).doesNotContain(one.self());
    assertThat(store.get(MemberRow.ended(one.self().number()))).isNull();
  }

  @Test
  void whoCannotBeFencedOffIsTriedAgain() {
    Deque<CompletableFuture<Void>> fences = new ArrayDeque<>();
    StoredMembers one = join("one");
    StoredMembers two = join("two", fencing(fences), Clock.fixed(Instant.EPOCH, UTC));
    one.close();
    live(RENEWAL_MS, two);
    fences.remove().completeExceptionally(new StoreException("no answer"));
    live(2 * RENEWAL_MS, two);
    assertThat(two.live()).contains(one.self());
    fences.remove().complete(null);
    live(RENEWAL_MS, two);
    assertThat(two.live()).containsExactly(two.self());
    assertThat(store.get(MemberRow.ended(one.self().number()))).isNull();
  }

  /** Its own row is not renewed as long as it waits. */
  @Test
  void whoJoinsKeepsItsLeaseHoweverLongOthersTakeToBeFencedOff() {
    StoredMembers one = join("one");
    StoredMembers two = join("two");
    one.close();
    two.close();
    StoredMembers three =
        join("three", fencing(this::neverInTime), Clock.fixed(Instant.EPOCH, UTC));
    assertThat(three.live()).containsExactly(one.self(), two.self(), three.self());
    assertThat(three.leaseHolds()).isTrue();
  }

  private CompletableFuture<Void> neverInTime() {
    return new CompletableFuture<>() {
      @Override
      public Void get(long timeout, TimeUnit unit) throws TimeoutException {
        nowNs.addAndGet(unit.toNanos(timeout));
        throw new TimeoutException();
      }
    };
  }

  private Store fencing(Deque<CompletableFuture<Void>> fences) {
    return fencing(
        () -> {
          CompletableFuture<Void> fence = new CompletableFuture<>();
          fences.add(fence);
          return fence;
        });
  }

  private Store fencing(Supplier<CompletableFuture<Void>> fences) {
    Session session =
        proxy(
            Session.class,
            (method, arguments) ->
                method.equals(FENCE_OFF)
                    ? fences.get()
                    : method.invoke(store.session(), arguments));
    return proxy(
        Store.class,
        (method, arguments) -> method.equals(SESSION) ? session : method.invoke(store, arguments));
  }

  private interface Handler {
    Object call(Method method, Object[] arguments) throws ReflectiveOperationException;
  }

  private static <T> T proxy(Class<T> type, Handler handler) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (proxy, method, arguments) -> handler.call(method, arguments)));
  }

  @Test
  void itStopsTrustingItsLeaseBeforeAnybodyTakesItForDead() {
    StoredMembers one = join("one");
    StoredMembers two = join("two");
    live(3 * LEASE_MS, one, two);
    assertThat(one.leaseHolds()).isTrue();
    // Its last renewal, which the other one sees at once.
    one.tick();
    two.tick();
    while (one.leaseHolds()) {
      assertThat(two.live()).contains(one.self());
      pass(100);
      two.tick();
    }
    assertThat(two.live()).as("there is a margin").contains(one.self());
    pass(LEASE_MS / 10 - 200);
    two.tick();
    assertThat(two.live()).contains(one.self());
    pass(300);
    two.tick();
    assertThat(two.live()).containsExactly(two.self());
  }

  @Test
  void aRenewalOfUnknownOutcomeGivesNoTimeAndIsNotRepeatedAsItWas() {
    StoredMembers one = join("one");
    StoredMembers two = join("two");
    pass(RENEWAL_MS);
    faults.plan(Fault.LOST_REPLY);
    one.tick();
    pass(LEASE_MS - LEASE_MS / 10 - RENEWAL_MS - 1);
    assertThat(one.leaseHolds()).isTrue();
    pass(1);
    assertThat(one.leaseHolds()).isFalse();
    two.tick();
    byte[] written = store.get(MemberRow.key(one.self().number()));
    one.tick();
    assertThat(one.leaseHolds()).isTrue();
    assertThat(store.get(MemberRow.key(one.self().number()))).isNotEqualTo(written);
  }

  @Test
  void aStoreThatDidNotAnswerKillsNobody() {
    StoredMembers one = join("one");
    StoredMembers two = join("two");
    live(RENEWAL_MS, one, two);
    pass(3 * LEASE_MS); // in which nobody could renew, and nobody could look
    assertThat(one.leaseHolds()).isFalse();
    assertThat(two.leaseHolds()).isFalse();
    two.tick();
    one.tick();
    live(2 * LEASE_MS, one, two);
    assertThat(one.live()).containsExactly(one.self(), two.self());
    assertThat(lost).isEmpty();
    assertThat(one.leaseHolds()).isTrue();
  }

  @Test
  void whoStoodStillItselfDoesNotTakeTheOthersForDead() {
    StoredMembers one = join("one");
    StoredMembers two = join("two");
    live(RENEWAL_MS, one, two);
    live(LEASE_MS / 2, one); // two stands still
    two.tick();
    live(RENEWAL_MS, two, one);
    assertThat(two.live()).contains(one.self());
  }

  @Test
  void theLaterOneOfTwoThatDoNotAgreeOnTheTimeEnds() {
    StoredMembers one = join("one");
    StoredMembers slightlyOff = join("30 s", Clock.fixed(Instant.EPOCH.plusSeconds(30), UTC));
    StoredMembers wrong = join("1 h", Clock.fixed(Instant.EPOCH.plusSeconds(3_600), UTC));
    live(3 * RENEWAL_MS, one, slightlyOff, wrong);
    assertThat(lost).containsExactly("1 h");
    assertThat(wrong.leaseHolds()).isFalse();
  }

  @Test
  void whoWantsTheStoreForHimselfIsRefusedWhileOneServes() {
    Key key = new Key(MemberRow.TABLE, new byte[] {1, 0});
    MemberTable.requireNone(store, 20);
    MemberRow row = new MemberRow(new Member(9, "crashed", 1, 1, ""), 1, 0);
    put(key, row.encode());
    MemberTable.requireNone(store, 20);

    Thread renewing =
        new Thread(
            () -> {
              MemberRow next = row;
              while (!Thread.currentThread().isInterrupted()) {
                next = next.renewed(0);
                put(key, next.encode());
              }
            });
    renewing.start();
    try {
      assertThatThrownBy(() -> MemberTable.requireNone(store, 1_000))
          .isInstanceOf(StoreException.class)
          .hasMessageContaining("9@crashed:1");
    } finally {
      renewing.interrupt();
    }
  }

  private void put(Key key, byte[] value) {
    Transaction transaction = store.begin();
    transaction.put(key, value);
    transaction.commit().join();
  }
}
