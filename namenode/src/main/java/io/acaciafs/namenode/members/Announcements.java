package io.acaciafs.namenode.members;

import io.acaciafs.kv.Peers;
import io.acaciafs.kv.Store;
import io.acaciafs.kv.Transaction;
import io.acaciafs.namespace.lease.DirectoryChanges;
import io.acaciafs.namespace.lease.DirectoryLeases;
import io.acaciafs.rpc.protocol.RpcCall;
import io.acaciafs.rpc.protocol.RpcProtocol;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import org.apache.hadoop.ipc.RetriableException;
import org.apache.hadoop.ipc.proto.GenericRefreshProtocolProtos.GenericRefreshProtocolService;
import org.apache.hadoop.ipc.proto.GenericRefreshProtocolProtos.GenericRefreshRequestProto;
import org.apache.hadoop.ipc.proto.GenericRefreshProtocolProtos.GenericRefreshResponseCollectionProto;
import org.apache.hadoop.ipc.proto.GenericRefreshProtocolProtos.GenericRefreshResponseProto;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Changes of directories, told to the other NameNodes and heard from them, so that each may rest on
 * the directories that it knows ({@link DirectoryLeases}).
 *
 * <p>Who is told is who is a member; one that does not confirm is told again until it does, or is
 * no member any more: then its lease is over, and it rests on nothing. A NameNode that joins says
 * hello to all members, and rests on nothing before all have answered: from then on each tells it
 * of its changes, and those that were under way have ended. Two that join at once find each other,
 * as each looks for members after it has become one.
 *
 * <p>Of a change whose outcome nobody knows, or whose NameNode died, the directories stay blocked
 * for the life of the others, as it may still come to be; that only costs time.
 *
 * <p>Safe for use by many threads; what waits for the network runs on the executor's.
 */
public final class Announcements implements DirectoryChanges {
  private static final Logger LOG = LoggerFactory.getLogger(Announcements.class);
  private static final long PAUSE_MS = 100;

  /** Leases that a member is waited for which neither confirms nor ends. */
  private static final int PATIENCE = 4;

  private final Members members;
  private final DirectoryLeases directoryLeases;
  private final Store store;
  private final Messenger messenger;
  private final Function<MemberMessage, CompletableFuture<List<String>>> pauser;
  private final Executor executor;
  private final ScheduledExecutorService timer;
  private final long patienceNs;
  private final AtomicLong count = new AtomicLong();
  private final Set<Change> underWay = ConcurrentHashMap.newKeySet();

  /**
   * @param store also sends messages to the others' stores
   * @param pauser does what PAUSE and RESUME ask for
   * @param executor where attempts wait for the network; may refuse
   * @param timer for pauses between attempts
   */
  public Announcements(
      Members members,
      DirectoryLeases directoryLeases,
      Store store,
      Messenger messenger,
      Function<MemberMessage, CompletableFuture<List<String>>> pauser,
      Executor executor,
      ScheduledExecutorService timer,
      long leaseMs) {
    this.members = members;
    this.directoryLeases = directoryLeases;
    this.store = store;
    this.messenger = messenger;
    this.pauser = pauser;
    this.executor = executor;
    this.timer = timer;
    this.patienceNs = TimeUnit.MILLISECONDS.toNanos(PATIENCE * leaseMs);
    members.onChange(() -> messenger.retain(members.live()));
  }

  /**
   * Says hello to all, and then trusts directories. Returns at once; the others must already be
   * able to reach this NameNode.
   */
  public void begin() {
    store.session().connect(new Others());
    hello(new HashMap<>());
  }

  /** The other NameNodes, as the store reaches them. */
  private final class Others implements Peers {
    @Override
    public CompletableFuture<List<String>> tell(String message) {
      return tellOthers(
              MemberMessage.Kind.STORE,
              message,
              List.of(),
              TimeUnit.NANOSECONDS.toMillis(patienceNs))
          .thenApply(answers -> answers.values().stream().flatMap(List::stream).toList());
    }

    @Override
    public boolean leaseHolds() {
      return members.leaseHolds();
    }
  }

  private void hello(Map<Member, List<String>> answers) {
    List<CompletableFuture<Void>> all = new ArrayList<>();
    for (Member other : others()) {
      all.add(
          tell(other, MemberMessage.hello(members.self()), Long.MAX_VALUE)
              .thenAccept(
                  answer -> {
                    if (answer != null) {
                      synchronized (answers) {
                        answers.put(other, answer);
                      }
                    }
                  }));
    }
    CompletableFuture.allOf(all.toArray(CompletableFuture[]::new))
        .whenComplete(
            (nothing, failure) -> {
              if (failure != null) {
                LOG.warn("The other NameNodes are not told of this one, so it is slow", failure);
              } else {
                answers.forEach((other, answer) -> blockForGood(other, answer, answers.keySet()));
                store.session().rely();
                directoryLeases.begin();
                LOG.info("Directories are trusted self={} live={}", members.self(), others());
              }
            });
  }

  /** What a member tells of its own changes counts, and of those whose NameNode is gone. */
  private void blockForGood(Member teller, List<String> answer, Collection<Member> answered) {
    for (String text : answer) {
      String change = text.substring(0, text.indexOf(':'));
      long owner = ownerOf(change);
      boolean isPast =
          owner != teller.number()
              && answered.stream().anyMatch(member -> member.number() == owner);
      if (!isPast) {
        directoryLeases.revoke(change, MemberMessage.idsOf(text.substring(text.indexOf(':') + 1)));
      }
    }
  }

  private static long ownerOf(String change) {
    return Long.parseLong(change.substring(0, change.indexOf('-')));
  }

  private List<Member> others() {
    SortedSet<Member> live = members.live();
    return live.stream().filter(member -> !member.equals(members.self())).toList();
  }

  // ---- telling

  @Override
  public CompletableFuture<Announced> announce(Collection<Long> directoryIds) {
    Change change =
        new Change(
            members.self().number() + "-" + count.incrementAndGet(), new CompletableFuture<>());
    underWay.add(change); // before the members are looked at: who joins waits for it
    CompletableFuture<Void> own = directoryLeases.revoke(change.name, directoryIds);
    MemberMessage message = MemberMessage.block(members.self(), change.name, directoryIds);
    List<CompletableFuture<List<String>>> told = new ArrayList<>();
    for (Member other : others()) {
      told.add(tell(other, message, System.nanoTime() + patienceNs));
    }
    if (told.isEmpty() && own.isDone()) {
      return CompletableFuture.completedFuture(change);
    }
    told.add(awaitOwn(own));
    return CompletableFuture.allOf(told.toArray(CompletableFuture[]::new))
        .handle(
            (nothing, failure) -> {
              if (failure != null) {
                change.end();
                throw new CompletionException(
                    new RetriableException(
                        "Another NameNode neither answers nor ends: " + failure));
              }
              return change;
            });
  }

  /** What is under way here, as long as for another member; goes on on a thread that may wait. */
  private CompletableFuture<List<String>> awaitOwn(CompletableFuture<Void> own) {
    if (own.isDone()) {
      return CompletableFuture.completedFuture(List.of());
    }
    CompletableFuture<List<String>> awaited = new CompletableFuture<>();
    ScheduledFuture<?> limit =
        timer.schedule(
            () -> awaited.completeExceptionally(new TimeoutException("What is under way here")),
            patienceNs,
            TimeUnit.NANOSECONDS);
    own.whenComplete(
        (left, failure) -> {
          limit.cancel(false);
          try {
            executor.execute(() -> awaited.complete(List.of()));
          } catch (RejectedExecutionException e) {
            awaited.completeExceptionally(e);
          }
        });
    return awaited;
  }

  @Override
  public void guard(Transaction transaction) {
    members.requireSelf(transaction);
  }

  /** One of this NameNode's own. */
  private final class Change implements Announced {
    private final String name;
    private final CompletableFuture<Void> ended;

    Change(String name, CompletableFuture<Void> ended) {
      this.name = name;
      this.ended = ended;
    }

    @Override
    public void end() {
      directoryLeases.allow(name);
      leaveOpen();
      MemberMessage message = MemberMessage.unblock(members.self(), name);
      for (Member other : others()) {
        tell(other, message, System.nanoTime() + patienceNs)
            .whenComplete(
                (answer, failure) -> {
                  if (failure != null) {
                    LOG.warn("A NameNode was not told of the end of a change other={}", other);
                  }
                });
      }
    }

    @Override
    public void leaveOpen() {
      underWay.remove(this);
      ended.complete(null);
    }
  }

  /**
   * Says something else to all others.
   *
   * @return what those answer who are members still; fails when one does not in time
   */
  public CompletableFuture<Map<Member, List<String>>> tellOthers(
      MemberMessage.Kind kind, String name, List<Long> numbers, long patienceMs) {
    MemberMessage message = new MemberMessage(kind, members.self(), name, numbers);
    long deadlineNs = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(patienceMs);
    CompletableFuture<Map<Member, List<String>>> all =
        CompletableFuture.completedFuture(new HashMap<>());
    for (Member other : others()) {
      all =
          all.thenCombine(
              tell(other, message, deadlineNs),
              (answers, answer) -> {
                if (answer != null) {
                  answers.put(other, answer);
                }
                return answers;
              });
    }
    return all;
  }

  /**
   * @param deadlineNs by System.nanoTime; Long.MAX_VALUE for none
   * @return the answer; null when the receiver is no member any more
   */
  private CompletableFuture<List<String>> tell(
      Member receiver, MemberMessage message, long deadlineNs) {
    CompletableFuture<List<String>> answer = new CompletableFuture<>();
    attempt(receiver, message, deadlineNs, answer);
    return answer;
  }

  private void attempt(
      Member receiver,
      MemberMessage message,
      long deadlineNs,
      CompletableFuture<List<String>> answer) {
    if (!members.live().contains(receiver)) {
      answer.complete(null);
      return;
    }
    try {
      executor.execute(
          () -> {
            try {
              answer.complete(messenger.send(receiver, message));
            } catch (IOException | RuntimeException e) {
              again(receiver, message, deadlineNs, answer, e);
            }
          });
    } catch (RejectedExecutionException e) {
      again(receiver, message, deadlineNs, answer, e);
    }
  }

  private void again(
      Member receiver,
      MemberMessage message,
      long deadlineNs,
      CompletableFuture<List<String>> answer,
      Exception failure) {
    if (deadlineNs != Long.MAX_VALUE && System.nanoTime() - deadlineNs > 0) {
      answer.completeExceptionally(failure);
      return;
    }
    try {
      timer.schedule(
          () -> attempt(receiver, message, deadlineNs, answer), PAUSE_MS, TimeUnit.MILLISECONDS);
    } catch (RejectedExecutionException e) {
      answer.completeExceptionally(e); // this NameNode ends
    }
  }

  // ---- hearing

  public RpcProtocol protocol() {
    return RpcProtocol.builder(
            MemberProtocol.NAME,
            MemberProtocol.VERSION,
            GenericRefreshProtocolService.newReflectiveBlockingService(null))
        .asyncMethod("refresh", GenericRefreshRequestProto.class, this::hear)
        .build();
  }

  private CompletableFuture<GenericRefreshResponseCollectionProto> hear(
      RpcCall call, GenericRefreshRequestProto request) throws IOException {
    return hear(request).thenApply(Announcements::proto);
  }

  /**
   * @throws IOException for a message that comes from no member
   */
  CompletableFuture<List<String>> hear(GenericRefreshRequestProto request) throws IOException {
    if (MemberMessage.sender(request, members.live()) == null) {
      members.look(); // one that has just begun
    }
    MemberMessage message = MemberMessage.fromProto(request, members.live(), members.self());
    switch (message.kind()) {
      case HELLO -> {
        return answerHello();
      }
      case BLOCK -> {
        return directoryLeases
            .revoke(message.change(), message.directoryIds())
            .thenApply(left -> List.of());
      }
      case UNBLOCK -> directoryLeases.allow(message.change());
      case PAUSE, RESUME -> {
        return pauser.apply(message);
      }
      case STORE -> {
        return store.session().receive(message.change()).thenApply(List::of);
      }
    }
    return CompletableFuture.completedFuture(List.of());
  }

  /** The sender is a member to us by now, so changes that begin later are told to it. */
  private CompletableFuture<List<String>> answerHello() {
    CompletableFuture<?>[] before =
        underWay.stream().map(change -> change.ended).toArray(CompletableFuture[]::new);
    return CompletableFuture.allOf(before)
        .thenApply(
            nothing -> {
              List<String> blocks = new ArrayList<>();
              directoryLeases
                  .revocations()
                  .forEach((change, ids) -> blocks.add(change + ":" + MemberMessage.textOf(ids)));
              blocks.removeIf(this::isUnderWay);
              return blocks;
            });
  }

  /** Of ours, begun since: the sender is told of its end. */
  private boolean isUnderWay(String block) {
    return underWay.stream().anyMatch(change -> block.startsWith(change.name + ":"));
  }

  private static GenericRefreshResponseCollectionProto proto(List<String> texts) {
    GenericRefreshResponseCollectionProto.Builder answer =
        GenericRefreshResponseCollectionProto.newBuilder();
    for (String text : texts) {
      answer.addResponses(GenericRefreshResponseProto.newBuilder().setUserMessage(text));
    }
    return answer.build();
  }
}
