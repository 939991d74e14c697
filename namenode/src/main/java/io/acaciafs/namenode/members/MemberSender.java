package io.acaciafs.namenode.members;

import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Sends messages to the other members. A member that does not answer is sent the message again,
 * until it answers, is no member any more, or the time is over. Safe for use by many threads; what
 * waits for the network runs on the executor's.
 */
public final class MemberSender {
  private static final long PAUSE_MS = 100;

  private final Members members;
  private final Messenger messenger;
  private final Executor executor;
  private final ScheduledExecutorService timer;

  /**
   * @param executor where attempts wait for the network; may refuse
   * @param timer for pauses between attempts
   */
  public MemberSender(
      Members members, Messenger messenger, Executor executor, ScheduledExecutorService timer) {
    this.members = members;
    this.messenger = messenger;
    this.executor = executor;
    this.timer = timer;
    members.onChange(() -> messenger.retain(members.live()));
  }

  /** The other members as of now. */
  List<Member> others() {
    SortedSet<Member> live = members.live();
    return live.stream().filter(member -> !member.equals(members.self())).toList();
  }

  /**
   * Sends a message to one member.
   *
   * @param deadlineNs by System.nanoTime; Long.MAX_VALUE for none
   * @return the answer; null when the receiver is no member any more
   */
  CompletableFuture<List<String>> send(Member receiver, MemberMessage message, long deadlineNs) {
    CompletableFuture<List<String>> answer = new CompletableFuture<>();
    attempt(receiver, message, deadlineNs, answer);
    return answer;
  }

  /**
   * Sends the same message to all others.
   *
   * @return the answers of those that are members still; fails when one does not answer in time
   */
  public CompletableFuture<Map<Member, List<String>>> sendToAll(
      MemberMessage.Kind kind, String name, List<Long> numbers, long patienceMs) {
    MemberMessage message = new MemberMessage(kind, members.self(), name, numbers);
    long deadlineNs = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(patienceMs);
    CompletableFuture<Map<Member, List<String>>> all =
        CompletableFuture.completedFuture(new HashMap<>());
    for (Member other : others()) {
      all =
          all.thenCombine(
              send(other, message, deadlineNs),
              (answers, answer) -> {
                if (answer != null) {
                  answers.put(other, answer);
                }
                return answers;
              });
    }
    return all;
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

  /**
   * Waits for something in this process as for the answer of another member.
   *
   * @return completes on a thread that may wait, or at once
   */
  CompletableFuture<List<String>> await(CompletableFuture<Void> own, long patienceNs) {
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
}
