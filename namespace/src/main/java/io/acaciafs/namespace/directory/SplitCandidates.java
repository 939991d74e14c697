package io.acaciafs.namespace.directory;

import io.acaciafs.kv.Key;
import io.acaciafs.namespace.record.DirectoryInode;
import io.acaciafs.namespace.record.NamespaceKeys;
import io.acaciafs.namespace.settings.DirectorySettings;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.jspecify.annotations.Nullable;

/**
 * Buckets that may have grown too large: those that this process has added many entries to. So no
 * create needs to read how many there are. Takes a fixed amount of memory, and forgets what does
 * not fit: what goes on growing comes again. Safe for use by many threads.
 */
public final class SplitCandidates {
  private static final int PLACES = 1 << 14;
  private static final int WAITING = 1024;

  /** A bucket is looked at so many times while it grows up to the threshold. */
  private static final long LOOKS = 8;

  /** A bucket to look at. */
  public record Candidate(long directoryId, int bucket) {}

  private final long addedBetweenLooks;
  private final AtomicIntegerArray added = new AtomicIntegerArray(PLACES);
  private final BlockingQueue<Candidate> waiting = new ArrayBlockingQueue<>(WAITING);

  public SplitCandidates(DirectorySettings settings) {
    this.addedBetweenLooks = settings.splitThreshold() / LOOKS;
  }

  /** An entry was added. */
  public void note(DirectoryInode directory, Key entry) {
    int bucket = NamespaceKeys.bucketOf(entry);
    int place = (31 * directory.locator().hashCode() + bucket) * 0x9E3779B9;
    place >>>= Integer.SIZE - Integer.numberOfTrailingZeros(PLACES);
    if (added.incrementAndGet(place) > addedBetweenLooks) {
      added.set(place, 0);
      offer(new Candidate(directory.id(), bucket));
    }
  }

  /** Nothing happens where too many wait. */
  public void offer(Candidate candidate) {
    waiting.offer(candidate);
  }

  /** Whether none waits. */
  public boolean isEmpty() {
    return waiting.isEmpty();
  }

  /** Null where none waits. */
  public @Nullable Candidate poll() {
    return waiting.poll();
  }
}
