package io.acaciafs.namespace.check;

import io.acaciafs.kv.Reader;
import io.acaciafs.kv.check.CheckRun;
import io.acaciafs.namespace.Namespace;
import io.acaciafs.namespace.directory.BucketScan;
import io.acaciafs.namespace.record.DirectoryInode;
import io.acaciafs.namespace.record.FileInode;
import io.acaciafs.namespace.record.Inode;
import io.acaciafs.namespace.record.InodeLocation;
import io.acaciafs.namespace.record.NamespaceKeys;
import io.acaciafs.namespace.record.QuotaCounts;
import io.acaciafs.namespace.settings.StoragePolicies;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.Set;
import org.apache.hadoop.hdfs.protocol.HdfsConstants;

/**
 * Counts what is below a directory as quotas do. Goes down first, so it holds no more directories
 * than are above each other. Used by one thread, once.
 */
final class SubtreeUsage {
  private static final byte NO_POLICY = HdfsConstants.BLOCK_STORAGE_POLICY_ID_UNSPECIFIED;
  private static final int ROWS_OF_A_SLICE = 1000;
  private static final int MOST_DEEP = 10_000;

  private static final int MOST_GUARDED = 10_000;

  /**
   * Each is sent over the network to be compared, and may keep others from writing it meanwhile.
   */
  private static final int MOST_GUARDED_REMOTELY = 500;

  private final CheckRun run;
  private final Rows rows;
  private final StoragePolicies policies;
  private final Deque<Place> way = new ArrayDeque<>();
  private QuotaCounts sum = QuotaCounts.ZERO;
  private int rowsOfSlice;
  private int guardsLeft;

  /** How far a directory is counted. */
  private static final class Place {
    private final DirectoryInode directory;
    private final byte policyId;
    private byte[] reached = {};

    private Place(DirectoryInode directory, byte policyId) {
      this.directory = directory;
      this.policyId = policyId;
    }
  }

  /**
   * @param isGuarded whether the reader is to guard the counters of directories, which every change
   *     of their entries changes; up to a bound
   */
  SubtreeUsage(CheckRun run, Rows rows, StoragePolicies policies, boolean isGuarded) {
    this.run = run;
    this.rows = rows;
    this.policies = policies;
    boolean isLocal = run.store().traits().localReads();
    int mostGuarded = isLocal ? MOST_GUARDED : MOST_GUARDED_REMOTELY;
    this.guardsLeft = isGuarded ? mostGuarded : 0;
  }

  QuotaCounts count(Reader reader, DirectoryInode top) throws InterruptedException {
    enter(reader, top, inheritedBy(reader, top));
    long startNs = System.nanoTime();
    while (!way.isEmpty()) {
      if (!advance(reader, way.peek())) {
        way.pop();
      }
      if (rowsOfSlice >= ROWS_OF_A_SLICE) {
        rowsOfSlice = 0;
        run.breathe(System.nanoTime() - startNs);
        startNs = System.nanoTime();
      }
    }
    return sum;
  }

  private void enter(Reader reader, DirectoryInode directory, byte inheritedPolicyId) {
    for (int bucket : directory.buckets().numbers()) {
      if (guardsLeft > 0) {
        guardsLeft--;
        reader.get(NamespaceKeys.counters(directory.locator(), bucket));
      }
    }
    sum = sum.plus(QuotaCounts.ONE_NAME);
    if (way.size() < MOST_DEEP) { // deeper is only a loop
      way.push(new Place(directory, ownOr(directory, inheritedPolicyId)));
    }
  }

  /** Counts up to the next directory, or for a while. */
  private boolean advance(Reader reader, Place place) {
    DirectoryInode[] next = {null};
    boolean[] isEnd = {true};
    BucketScan.<RuntimeException>forEachRow(
        reader,
        place.directory.locator(),
        place.directory.buckets(),
        place.reached,
        row -> {
          place.reached = NamespaceKeys.nameOf(row);
          rowsOfSlice++;
          Inode inode = rows.decode(reader, row.value());
          if (inode instanceof DirectoryInode directory) {
            next[0] = directory;
          } else if (inode instanceof FileInode file) {
            sum = sum.plus(usage(file, place.policyId));
          } else if (inode != null) {
            sum = sum.plus(QuotaCounts.ONE_NAME);
          }
          isEnd[0] = next[0] == null && rowsOfSlice < ROWS_OF_A_SLICE;
          return isEnd[0];
        });
    if (next[0] != null) {
      enter(reader, next[0], place.policyId);
    }
    return !isEnd[0];
  }

  private QuotaCounts usage(FileInode file, byte inheritedPolicyId) {
    byte id = ownOr(file, inheritedPolicyId);
    return QuotaCounts.of(file, id == NO_POLICY ? null : policies.policy(id));
  }

  private static byte ownOr(Inode inode, byte inheritedPolicyId) {
    byte own = inode.features().storagePolicyId();
    return own == NO_POLICY ? inheritedPolicyId : own;
  }

  private byte inheritedBy(Reader reader, DirectoryInode top) {
    Set<Long> seen = new HashSet<>();
    Inode inode = top;
    while (inode != null && inode.id() != Namespace.ROOT_ID && seen.add(inode.id())) {
      InodeLocation location = rows.location(reader, inode.id());
      inode = location == null ? null : rows.directory(reader, location.directory());
      if (inode != null && inode.features().storagePolicyId() != NO_POLICY) {
        return inode.features().storagePolicyId();
      }
    }
    return NO_POLICY;
  }
}
