package io.acaciafs.namenode.members;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.acaciafs.kv.memory.MemoryStore;
import io.acaciafs.namespace.lease.DirectoryChanges.Announced;
import io.acaciafs.namespace.lease.DirectoryLeases;
import java.io.IOException;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** NameNodes that tell each other of changes, over a network within the test. */
class LeaseRevocationTest {
  private static final long LEASE_MS = 600;

  private final MemoryStore store = new MemoryStore();
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final ScheduledExecutorService timer = Executors.newScheduledThreadPool(1);
  private final Map<Member, One> network = new ConcurrentHashMap<>();
  private final Set<Member> silent = ConcurrentHashMap.newKeySet();

  /** A NameNode, as far as this goes. */
  private final class One implements Messenger {
    private final ScheduledExecutorService renewals = Executors.newScheduledThreadPool(1);
    private final StoredMembers members =
        StoredMembers.join(
            store,
            "host",
            1,
            LeaseTimes.ofSystem(LEASE_MS),
            new Random(),
            LastMember.unknown(),
            () -> {});
    private final DirectoryLeases trust = new DirectoryLeases(members::leaseHolds);
    private final MemberSender sender = new MemberSender(members, this, threads, timer);
    private final LeaseRevocation revocation =
        new LeaseRevocation(members, trust, store, sender, LEASE_MS);
    private final MemberReceiver receiver =
        new MemberReceiver(
            members,
            revocation,
            store,
            message -> CompletableFuture.completedFuture(List.of()),
            call -> {});

    One() {
      network.put(members.self(), this);
      members.run(renewals);
    }

    One begin() {
      revocation.begin();
      return this;
    }

    One beginAndTrust() throws Exception {
      begin();
      awaitTrust();
      return this;
    }

    void awaitTrust() throws Exception {
      await(trust::isOn);
    }

    /** Ends are told behind the back of who ends. */
    void awaitNothingBlocked() throws Exception {
      await(() -> blocked().isEmpty());
    }

    private void await(BooleanSupplier condition) throws Exception {
      CompletableFuture<Void> isMet = new CompletableFuture<>();
      var looks =
          timer.scheduleWithFixedDelay(
              () -> {
                if (condition.getAsBoolean()) {
                  isMet.complete(null);
                }
              },
              0,
              5,
              TimeUnit.MILLISECONDS);
      isMet.get(30, TimeUnit.SECONDS);
      looks.cancel(false);
    }

    void standStill() {
      renewals.shutdownNow();
      silent.add(members.self());
    }

    Announced announce(long... ids) throws Exception {
      return later(ids).get(30, TimeUnit.SECONDS);
    }

    CompletableFuture<Announced> later(long... ids) {
      return revocation.announce(Arrays.stream(ids).boxed().toList());
    }

    Collection<List<Long>> blocked() {
      return trust.revocations().values();
    }

    @Override
    public List<String> send(Member receiver, MemberMessage message) throws IOException {
      if (silent.contains(receiver)) {
        throw new IOException("no answer");
      }
      try {
        return network
            .get(receiver)
            .receiver
            .receive(message.toProto(receiver))
            .get(30, TimeUnit.SECONDS);
      } catch (InterruptedException | ExecutionException | TimeoutException e) {
        throw new IOException(e);
      }
    }

    @Override
    public void retain(Collection<Member> live) {
      // there are no connections
    }
  }

  @AfterEach
  void end() {
    network.values().forEach(one -> one.renewals.shutdownNow());
    threads.shutdownNow();
    timer.shutdownNow();
  }

  @Test
  void allKnowOfAChangeBeforeItComes() throws Exception {
    One first = new One().beginAndTrust();
    One second = new One().beginAndTrust();
    One third = new One().beginAndTrust();
    for (One one : List.of(first, second, third)) {
      Announced change = one.announce(7, 8);
      for (One other : List.of(first, second, third)) {
        assertThat(other.blocked())
            .hasSize(1)
            .allSatisfy(ids -> assertThat(ids).containsExactlyInAnyOrder(7L, 8L));
      }
      change.end();
      for (One other : List.of(first, second, third)) {
        other.awaitNothingBlocked();
      }
    }
  }

  @Test
  void whoJoinsTrustsNothingBeforeWhatIsUnderWayHasEnded() throws Exception {
    One first = new One().beginAndTrust();
    Announced change = first.announce(7);
    One second = new One().begin();
    first.announce(8).end(); // goes on, and is told to the new one
    assertThat(second.trust.isOn()).isFalse();
    change.end();
    second.awaitTrust();
    second.awaitNothingBlocked();
  }

  @Test
  void whoJoinsIsToldOfWhatNobodyKnowsTheOutcomeOf() throws Exception {
    One first = new One().beginAndTrust();
    One second = new One().beginAndTrust();
    first.announce(7).leaveOpen();
    second.announce(8); // and then it dies
    second.standStill();
    One third = new One().beginAndTrust();
    assertThat(third.blocked()).containsExactlyInAnyOrder(List.of(7L), List.of(8L));
  }

  @Test
  void whoDoesNotAnswerIsWaitedForUntilItsLeaseIsOver() throws Exception {
    One first = new One().beginAndTrust();
    One second = new One().beginAndTrust();
    assertThat(second.members.leaseHolds()).isTrue();
    second.standStill();
    CompletableFuture<Announced> change = first.later(7);
    change.thenRun(
        () -> {
          if (second.members.leaseHolds()) {
            throw new AssertionError("it trusted its lease");
          }
        });
    change.get(30, TimeUnit.SECONDS);
    assertThat(second.members.leaseHolds()).isFalse();
    assertThat(first.members.live()).containsExactly(first.members.self());
  }

  @Test
  void onlyMembersAreHeard() {
    One first = new One();
    Member self = first.members.self();
    for (Member stranger :
        List.of(
            new Member(99, "host", 1, 0, "secret"),
            new Member(self.number(), self.host(), self.port(), 0, "guessed"))) {
      assertThatThrownBy(
              () ->
                  first.receiver.receive(
                      MemberMessage.block(stranger, "x-1", List.of(1L)).toProto(self)))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("Not a NameNode of this file system");
    }
    Member former = new Member(self.number() - 1, "host", 1, 0, "");
    assertThatThrownBy(
            () ->
                first.receiver.receive(
                    MemberMessage.block(self, "x-1", List.of(1L)).toProto(former)))
        .hasMessageContaining("Another NameNode is meant");
    assertThat(first.blocked()).isEmpty();
  }
}
