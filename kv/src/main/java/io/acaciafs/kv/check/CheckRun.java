package io.acaciafs.kv.check;

import io.acaciafs.kv.ConflictException;
import io.acaciafs.kv.GuardedReader;
import io.acaciafs.kv.KeyRange;
import io.acaciafs.kv.Reader;
import io.acaciafs.kv.Row;
import io.acaciafs.kv.Scan;
import io.acaciafs.kv.Store;
import io.acaciafs.kv.StoreException;
import io.acaciafs.kv.Transaction;
import io.acaciafs.kv.UnavailableException;
import io.acaciafs.kv.check.CheckListener.Outcome;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * One check of a store that others may use meanwhile. It walks over tables in short scans, rests
 * after each, and asks {@linkplain Question questions} of the rows; memory is bounded whatever the
 * size of the store.
 *
 * <p>What the walk finds wrong is only a suspicion, since rows are read at different moments. A
 * suspicion is confirmed twice, each time in a transaction that guards all that it reads; in
 * between the check waits until what was on its way has arrived, as an index row may run ahead of
 * what it indexes, or lag behind. Only what is found all three times is told, and repaired in a
 * transaction that finds it once more.
 *
 * <p>Used by one thread, once. Ends early when its thread is interrupted.
 */
public final class CheckRun {
  private static final int ROWS_OF_A_SLICE = 1000;
  private static final int MOST_SUSPICIONS = 1000;
  private static final int MOST_ATTEMPTS = 5;

  /** Of suspicions one after the other about which the store does not answer: then it is down. */
  private static final int MOST_UNANSWERED = 3;

  private static final long COMMIT_SECONDS = 60;
  private static final long PROGRESS_NS = TimeUnit.SECONDS.toNanos(5);
  private static final long LONGEST_PAUSE_MS = 2_000;

  private final Store store;
  private final Pace pace;
  private final long settleMs;
  private final boolean repairs;
  private final CheckListener listener;
  private final RecentNames told = new RecentNames();
  private final List<Question> suspicions = new ArrayList<>();
  private final List<Runnable> preparations = new ArrayList<>();

  /** The questions of the current slice; null if reads take no network. */
  private @Nullable QuestionBatch batch;

  private String step = "";
  private long rowsOfStep;
  private long expectedOfStep;
  private long progressNs = System.nanoTime() - PROGRESS_NS; // said at once, and then again
  private long rows;
  private int unanswered;

  /**
   * @param settleMs in which whatever is being committed has ended, one way or the other
   */
  public CheckRun(Store store, Pace pace, long settleMs, boolean repairs, CheckListener listener) {
    this.store = store;
    this.pace = pace;
    this.settleMs = settleMs;
    this.repairs = repairs;
    this.listener = listener;
  }

  /** What is to be done again before suspicions are confirmed. */
  public void beforeConfirming(Runnable preparation) {
    preparations.add(preparation);
  }

  /** How many rows it has walked over. */
  public long rows() {
    return rows;
  }

  public Store store() {
    return store;
  }

  public CheckListener listener() {
    return listener;
  }

  /** Looks at all rows of a range, and ends with no suspicion left. */
  public void walk(String name, KeyRange range, RowCheck check) throws InterruptedException {
    step = name;
    rowsOfStep = 0;
    expectedOfStep = store.estimatedRows(range.table()).orElse(-1);
    forEachSlice(
        store,
        range,
        slice -> {
          rows += slice.size();
          rowsOfStep += slice.size();
          batch = store.traits().localReads() ? null : batchOf(slice, check);
          for (Row row : slice) {
            check.check(store, row);
            if (suspicions.size() >= MOST_SUSPICIONS) {
              settle();
            }
          }
          if (batch != null) {
            batch.answer();
            batch = null;
          }
        });
    check.end();
    settle();
  }

  /** Takes the rows of one slice. */
  @FunctionalInterface
  private interface SliceVisitor {
    void visit(List<Row> slice) throws InterruptedException;
  }

  /** How many rows a range has; in slices, for a question. */
  public long count(Reader reader, KeyRange range) throws InterruptedException {
    long[] count = {0};
    forEachSlice(reader, range, slice -> count[0] += slice.size());
    return count[0];
  }

  /** Rests, in the middle of a long answer. */
  public void breathe(long workedNs) throws InterruptedException {
    rest(workedNs, 0);
  }

  private void forEachSlice(Reader reader, KeyRange range, SliceVisitor visitor)
      throws InterruptedException {
    KeyRange left = range;
    while (left != null) {
      long startNs = System.nanoTime();
      List<Row> slice = new ArrayList<>();
      try (Scan scan = reader.scan(left, ROWS_OF_A_SLICE)) {
        while (slice.size() < ROWS_OF_A_SLICE && scan.hasNext()) {
          slice.add(scan.next());
        }
      }
      visitor.visit(slice);
      left =
          slice.size() < ROWS_OF_A_SLICE
              ? null
              : range.startingAfter(slice.get(slice.size() - 1).key().bytes());
      rest(System.nanoTime() - startNs, 0);
    }
  }

  private QuestionBatch batchOf(List<Row> slice, RowCheck check) {
    QuestionBatch questions = new QuestionBatch(store);
    slice.forEach(questions::know);
    slice.forEach(row -> questions.expect(check.reads(row)));
    return questions;
  }

  /**
   * Whether the check collects questions until it has seen all rows of a slice, because each read
   * takes a network round trip.
   */
  public boolean asksTogether() {
    return batch != null;
  }

  /** Asks about a row that was just read; if the answer is bad, asks again later. */
  public void ask(Reader reader, Row row, Question question) throws InterruptedException {
    ask(reader, row, question, () -> suspect(question));
  }

  /**
   * Asks about a row that was just read, now or {@linkplain #asksTogether together with others}.
   *
   * @param then run where the answer is bad
   */
  public void ask(Reader reader, Row row, Question question, Runnable then)
      throws InterruptedException {
    if (batch == null) {
      ask(new ReaderWithRow(reader, row), question, then);
    } else {
      batch.add(question, then);
    }
  }

  /** Asks; if the answer is bad, asks again later. */
  public void ask(Reader reader, Question question) throws InterruptedException {
    ask(reader, question, () -> suspect(question));
  }

  private static void ask(Reader reader, Question question, Runnable then)
      throws InterruptedException {
    boolean[] isSuspicious = {false};
    question.ask(reader, finding -> isSuspicious[0] = true);
    if (isSuspicious[0]) {
      then.run();
    }
  }

  /** Will ask later. */
  public void suspect(Question question) {
    suspicions.add(question);
  }

  /** Asks what is to be asked later, twice, and tells what both answers agree in. */
  public void settle() throws InterruptedException {
    List<Question> questions = new ArrayList<>(suspicions);
    suspicions.clear();
    List<Suspect> suspects = new ArrayList<>();
    for (Question question : questions) {
      List<Finding> findings = confirm(question);
      if (!findings.isEmpty()) {
        suspects.add(new Suspect(question, findings));
      }
    }
    if (suspects.isEmpty()) {
      return;
    }
    pause();
    preparations.forEach(Runnable::run);
    for (Suspect suspect : suspects) {
      for (Finding finding : confirm(suspect.question)) {
        if (suspect.findings.stream().anyMatch(finding::isSame)
            && told.add(finding.kind() + ' ' + finding.subject())) {
          tell(suspect.question, finding);
        }
      }
    }
  }

  private record Suspect(Question question, List<Finding> findings) {}

  private void pause() throws InterruptedException {
    for (long leftMs = settleMs; leftMs > 0; leftMs -= LONGEST_PAUSE_MS) {
      rest(0, Math.min(leftMs, LONGEST_PAUSE_MS));
    }
  }

  private void rest(long workedNs, long pauseMs) throws InterruptedException {
    if (Thread.interrupted()) {
      throw new InterruptedException();
    }
    pace.rest(workedNs, pauseMs);
    if (System.nanoTime() - progressNs >= PROGRESS_NS) {
      progressNs = System.nanoTime();
      listener.seen(rows);
      listener.progress(step, rowsOfStep, expectedOfStep);
    }
  }

  /** What was true at one moment; nothing where the store did not say. */
  private List<Finding> confirm(Question question) throws InterruptedException {
    try {
      List<Finding> findings = confirmAnswered(question);
      unanswered = 0;
      return findings;
    } catch (UnavailableException e) {
      unanswered++;
      if (unanswered == MOST_UNANSWERED) {
        throw e;
      }
      listener.notChecked("A suspicion about which the store did not answer in time step=" + step);
      rest(0, LONGEST_PAUSE_MS);
      return List.of();
    }
  }

  private List<Finding> confirmAnswered(Question question) throws InterruptedException {
    for (int attempt = 0; attempt < MOST_ATTEMPTS; attempt++) {
      long startNs = System.nanoTime();
      Transaction transaction = store.begin();
      List<Finding> findings = new ArrayList<>();
      question.ask(new GuardedReader(transaction), findings::add);
      boolean held = findings.isEmpty() || holds(transaction.validate());
      rest(System.nanoTime() - startNs, 0);
      if (held) {
        return findings;
      }
    }
    listener.notChecked("A suspicion about rows of which one changes all the time step=" + step);
    return List.of();
  }

  private void tell(Question question, Finding finding) throws InterruptedException {
    boolean isMendable = repairs && finding.repair() != null;
    if (!isMendable) {
      listener.found(finding, repairs ? Outcome.NOT_REPAIRED : Outcome.FOUND);
      return;
    }
    for (int attempt = 0; attempt < MOST_ATTEMPTS; attempt++) {
      Transaction transaction = store.begin();
      List<Finding> now = new ArrayList<>();
      question.ask(new GuardedReader(transaction), now::add);
      Finding same = now.stream().filter(finding::isSame).findFirst().orElse(null);
      if (same == null || same.repair() == null) {
        break; // somebody changed something; the next check will see
      }
      try {
        same.repair().mend(transaction);
      } catch (UnmendableException e) {
        break;
      }
      if (holds(transaction.commit())) {
        listener.found(finding, Outcome.REPAIRED);
        return;
      }
    }
    listener.found(finding, Outcome.NOT_REPAIRED);
  }

  private static boolean holds(CompletableFuture<Void> end) throws InterruptedException {
    try {
      end.get(COMMIT_SECONDS, TimeUnit.SECONDS);
      return true;
    } catch (ExecutionException e) {
      if (e.getCause() instanceof ConflictException) {
        return false;
      }
      if (e.getCause() instanceof UnavailableException) {
        throw new UnavailableException("The store cannot be checked", e.getCause());
      }
      throw new StoreException("The store cannot be checked", e);
    } catch (TimeoutException e) {
      throw new UnavailableException("The store did not answer in " + COMMIT_SECONDS + " s", e);
    }
  }
}
