package io.acaciafs.namespace.run;

import io.acaciafs.kv.Key;
import io.acaciafs.kv.Reader;
import io.acaciafs.kv.Transaction;
import io.acaciafs.namespace.context.CallId;
import io.acaciafs.namespace.path.ResolvedPath;
import io.acaciafs.namespace.record.DirectoryInode;
import io.acaciafs.namespace.record.NamespaceKeys;
import io.acaciafs.namespace.record.RetryEntry;
import io.acaciafs.namespace.tree.Tree;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Lets one call take effect once. Its answer is kept in the transaction that does what it asks for.
 * It is written as a unique insert, so that an attempt that is still under way and its repetition
 * cannot both succeed.
 *
 * <p>Where this process is the only one, all answers are in one table, which forgets them by
 * itself. A first attempt does not read: it guards the row, and then asks {@link RetryHints}
 * whether this client has repeated anything. A repetition that comes later writes the row that is
 * guarded.
 *
 * <p>Where there are several, the store is spread over servers, and an answer is in the partition
 * of what was asked for: in the deepest directory on its path that was there before, in the bucket
 * of the name that follows. (Earlier versions wrote it there in any case.) A repetition may find
 * more directories on the path, made by the attempt before, and so looks into all of them. Where it
 * makes directories itself, it leaves its answer in the deepest as well: the first attempt, if it
 * comes late, looks only there. It looks into all buckets that the name was ever in, as one may
 * have been divided since; those of a directory that was empty in between, and was given fewer, it
 * does not see. Directories on the path may have been renamed or removed since: a repetition
 * follows {@link FormerPaths}, and so does a first attempt that is led elsewhere after a conflict.
 *
 * <p>A call may not say whether it is a repetition. Where looking is cheap, it counts as one. Where
 * the store is spread it is run as a first attempt, whose guard finds the answer of one that led to
 * the same directory, and looks for another answer when it has nothing to do or is refused.
 */
final class RetryEntries {
  /** Ends the run of an operation that took effect before. */
  private static final class AnsweredException extends RuntimeException {
    private final long answer;

    private AnsweredException(long answer) {
      super(null, null, false, false);
      this.answer = answer;
    }
  }

  private static final int[] FIRST_BUCKET = {0};

  private final Tree tree;
  private final Transaction transaction;
  private final AnsweredOnce attempts;
  private final CallId call;
  private final RetryCache cache;
  private final RetryRows rows;
  private @Nullable ResolvedPath followed;
  private @Nullable Place place;

  /** A directory, and the bucket in it of the name that follows on the path. */
  private record Place(DirectoryInode directory, int bucket) {
    private static Place of(ResolvedPath path, int index, DirectoryInode directory) {
      boolean isEnd = index == path.names().size();
      return new Place(directory, isEnd ? 0 : directory.buckets().of(path.names().get(index)));
    }
  }

  /**
   * @param rows takes the answer
   */
  RetryEntries(Tree tree, AnsweredOnce attempts, RetryCache cache, RetryRows rows) {
    this.tree = tree;
    this.transaction = tree.transaction();
    this.attempts = attempts;
    this.call = attempts.id();
    this.cache = cache;
    this.rows = rows;
  }

  /** Runs an operation, unless an attempt of the same call has taken effect. */
  <T> @Nullable T runOnce(AtMostOnce<T> operation) throws IOException {
    tree.onFirstPath(this::look);
    try {
      T result = run(operation);
      Long answer = operation.answer(result);
      if (answer == null) {
        lookBeforeGivingUp();
      } else if (place != null) {
        keep(place, answer);
        DirectoryInode newest = tree.notes().newestDirectory();
        if (call.retryCount() != 0 && newest != null) {
          keep(new Place(newest, 0), answer);
        }
      }
      return result;
    } catch (AnsweredException answered) {
      return operation.repeat(tree, answered.answer);
    }
  }

  private <T> @Nullable T run(AtMostOnce<T> operation) throws IOException {
    try {
      return operation.run(tree);
    } catch (IOException refused) {
      lookBeforeGivingUp();
      throw refused;
    }
  }

  /** Sees the path of the operation before the operation does. */
  private void look(ResolvedPath path) {
    for (int i = directories(path) - 1; i >= 0 && place == null; i--) {
      if (path.inodes().get(i) instanceof DirectoryInode directory) {
        place = Place.of(path, i, directory);
      }
    }
    if (place == null) {
      return;
    }
    followed = path;
    boolean isLedElsewhere = attempts.isLedElsewhere(place.directory.locator());
    if (cache.isAlone() ? call.retryCount() == 0 : call.retryCount() <= 0 && !isLedElsewhere) {
      lookAtFirst(key(place));
    } else {
      lookEverywhere(path);
    }
  }

  /**
   * A call that does not say whether it is a repetition had nothing to do, or was refused. What it
   * may have written before would take effect with an answer.
   */
  private void lookBeforeGivingUp() {
    boolean isKnown = cache.isAlone() || call.retryCount() >= 0;
    if (!isKnown && followed != null && !transaction.hasWrites()) {
      lookEverywhere(followed);
    }
  }

  private void lookEverywhere(ResolvedPath path) {
    cache.hints().note(call);
    if (cache.isAlone()) {
      look(NamespaceKeys.answer(call.clientId(), call.callId()));
    }
    for (int i = 0; i < directories(path); i++) {
      if (path.inodes().get(i) instanceof DirectoryInode directory) {
        for (int bucket : bucketsEverOf(path, i, directory)) {
          look(RetryRows.keyIn(directory.locator(), bucket, call));
        }
      }
    }
    if (!cache.isAlone()) {
      Reader unguarded = transaction.unguarded();
      new FormerPaths(tree, cache.oldestMs())
          .visit(
              path,
              (directory, bucket) ->
                  judge(unguarded.get(RetryRows.keyIn(directory, bucket, call))));
    }
  }

  /** How many inodes of a path may be directories with an answer. */
  private static int directories(ResolvedPath path) {
    return Math.min(path.inodes().size(), Math.max(1, path.names().size()));
  }

  private static int[] bucketsEverOf(ResolvedPath path, int index, DirectoryInode directory) {
    boolean isEnd = index == path.names().size();
    return isEnd || directory.buckets().isOne()
        ? FIRST_BUCKET
        : directory.buckets().everOf(path.names().get(index));
  }

  /** A first attempt finds an answer only where its repetition was faster: nearly never. */
  private void lookAtFirst(Key key) {
    boolean isAssumed = transaction.guardAbsent(key);
    boolean mayHaveCome = cache.isAlone() && cache.hints().mayHaveCome(call);
    if (!isAssumed || mayHaveCome) {
      look(key);
    }
  }

  private void look(Key key) {
    judge(transaction.get(key));
  }

  private void judge(byte @Nullable [] row) {
    RetryEntry entry = row == null ? null : RetryEntry.decode(row);
    if (entry != null && entry.timeMs() >= cache.oldestMs()) {
      throw new AnsweredException(entry.answer());
    }
  }

  private void keep(Place where, long answer) {
    rows.keepAnswer(where.directory.locator(), where.bucket, call, answer);
  }

  private Key key(Place where) {
    return rows.key(where.directory.locator(), where.bucket, call);
  }
}
