package io.acaciafs.namenode.members;

import io.acaciafs.kv.Peers;
import io.acaciafs.kv.Store;
import io.acaciafs.kv.Transaction;
import io.acaciafs.namespace.lease.DirectoryChanges;
import io.acaciafs.namespace.lease.DirectoryLeases;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.ipc.RetriableException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Revokes directory leases. Before this NameNode changes directories, it has the other NameNodes
 * give up their leases on them ({@link DirectoryLeases}), and it gives up its own when another one
 * changes them.
 *
 * <p>All members are told. A member that does not confirm is told again until it does, or is no
 * member any more: then its own lease is over, and it relies on no directory. A NameNode that joins
 * says hello to all members, and relies on nothing before all have answered: from then on each
 * tells it of its changes, and the changes that were under way have ended. Two that join at once
 * find each other, as each looks for members after it has become one.
 *
 * <p>If the outcome of a change is unknown, or its NameNode died, the directories stay blocked for
 * the life of the others, as the change may still take effect; that only costs time.
 *
 * <p>Safe for use by many threads.
 */
public final class LeaseRevocation implements DirectoryChanges {
  private static final Logger LOG = LoggerFactory.getLogger(LeaseRevocation.class);

  /** Leases that a member is waited for which neither confirms nor ends. */
  private static final int PATIENCE = 4;

  private final Members members;
  private final DirectoryLeases directoryLeases;
  private final Store store;
  private final MemberSender sender;
  private final long patienceNs;
  private final AtomicLong count = new AtomicLong();
  private final Set<Change> underWay = ConcurrentHashMap.newKeySet();

  /**
   * @param store also sends messages to the others' stores
   */
  public LeaseRevocation(
      Members members,
      DirectoryLeases directoryLeases,
      Store store,
      MemberSender sender,
      long leaseMs) {
    this.members = members;
    this.directoryLeases = directoryLeases;
    this.store = store;
    this.sender = sender;
    this.patienceNs = TimeUnit.MILLISECONDS.toNanos(PATIENCE * leaseMs);
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
      return sender
          .sendToAll(
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
    for (Member other : sender.others()) {
      all.add(
          sender
              .send(other, MemberMessage.hello(members.self()), Long.MAX_VALUE)
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
                LOG.info(
                    "Directories are trusted self={} live={}", members.self(), sender.others());
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

  @Override
  public CompletableFuture<Announced> announce(Collection<Long> directoryIds) {
    Change change =
        new Change(
            members.self().number() + "-" + count.incrementAndGet(), new CompletableFuture<>());
    underWay.add(change); // before the members are looked at: one that joins waits for it
    CompletableFuture<Void> own = directoryLeases.revoke(change.name, directoryIds);
    MemberMessage message = MemberMessage.block(members.self(), change.name, directoryIds);
    List<CompletableFuture<List<String>>> told = new ArrayList<>();
    for (Member other : sender.others()) {
      told.add(sender.send(other, message, System.nanoTime() + patienceNs));
    }
    if (told.isEmpty() && own.isDone()) {
      return CompletableFuture.completedFuture(change);
    }
    told.add(sender.await(own, patienceNs));
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
      for (Member other : sender.others()) {
        sender
            .send(other, message, System.nanoTime() + patienceNs)
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

  /** Another NameNode is about to change directories. */
  CompletableFuture<List<String>> block(String change, Collection<Long> directoryIds) {
    return directoryLeases.revoke(change, directoryIds).thenApply(left -> List.of());
  }

  /** A change of another NameNode has ended. */
  CompletableFuture<List<String>> unblock(String change) {
    directoryLeases.allow(change);
    return CompletableFuture.completedFuture(List.of());
  }

  /** The sender is a member to us by now, so changes that begin later are told to it. */
  CompletableFuture<List<String>> answerHello() {
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
}
