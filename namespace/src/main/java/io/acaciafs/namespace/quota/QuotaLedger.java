package io.acaciafs.namespace.quota;

import io.acaciafs.kv.ConflictException;
import io.acaciafs.kv.Transaction;
import io.acaciafs.namespace.context.OperationContext;
import io.acaciafs.namespace.directory.Directories;
import io.acaciafs.namespace.path.ResolvedPath;
import io.acaciafs.namespace.record.DirectoryInode;
import io.acaciafs.namespace.record.FileInode;
import io.acaciafs.namespace.record.Inode;
import io.acaciafs.namespace.record.NamespaceKeys;
import io.acaciafs.namespace.record.Quota;
import io.acaciafs.namespace.record.QuotaCounts;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.protocol.BlockStoragePolicy;
import org.apache.hadoop.hdfs.protocol.DSQuotaExceededException;
import org.apache.hadoop.hdfs.protocol.HdfsConstants;
import org.apache.hadoop.hdfs.protocol.NSQuotaExceededException;
import org.apache.hadoop.hdfs.protocol.QuotaByStorageTypeExceededException;
import org.apache.hadoop.hdfs.protocol.QuotaExceededException;
import org.jspecify.annotations.Nullable;

/**
 * What one transaction changes of the use of quotas. It learns from the paths that are followed
 * which directories with a quota lie above what changes; their use is counted in rows of their own,
 * by deltas that never conflict. Directories without a quota above them cost nothing.
 *
 * <p>The sum of what a transaction changes counts, so moving something within a quota needs no
 * room. Used by one thread, as its transaction.
 */
public final class QuotaLedger {
  /** A directory with a quota on a path. */
  private record Limited(DirectoryInode directory, String path, int depth) {}

  /**
   * Where entries of a directory count.
   *
   * @param policyId storage policy that they inherit
   */
  private record Place(List<Limited> quotas, byte policyId) {
    private static final Place NOWHERE =
        new Place(List.of(), HdfsConstants.BLOCK_STORAGE_POLICY_ID_UNSPECIFIED);

    private boolean countsAs(Place other) {
      return ids().equals(other.ids()) && (quotas.isEmpty() || policyId == other.policyId);
    }

    private List<Long> ids() {
      return quotas.stream().map(quota -> quota.directory.id()).toList();
    }
  }

  /** One part in so many of a quota is used under guards alone, where there are other processes. */
  private static final int SHARE_KEPT_FREE = 8;

  /** And so is more than one part in so many at once. */
  private static final int SHARE_OF_LARGE = 512;

  /** Sums that are too large are {@link Long#MAX_VALUE}. */
  private static final long MOST_COUNTED = Long.MAX_VALUE - 1;

  private final OperationContext context;
  private final Transaction transaction;

  /** By the ids of directories; of those alone that count for a quota. */
  private Map<Long, Place> places = Map.of();

  /** As they were found, and then as they became. */
  private final List<FileInode> files = new ArrayList<>(2);

  private Map<Limited, QuotaCounts> changes = Map.of();

  public QuotaLedger(OperationContext context) {
    this.context = context;
    this.transaction = context.transaction();
  }

  // ---- what a transaction does

  /** A path was followed. */
  public void look(ResolvedPath path) {
    List<Limited> quotas = List.of();
    for (int i = 0; i < path.inodes().size(); i++) {
      Inode inode = path.inodes().get(i);
      if (inode instanceof FileInode file) {
        files.add(file);
      } else if (inode instanceof DirectoryInode directory) {
        if (directory.features().quota().isSet()) {
          quotas = new ArrayList<>(quotas);
          quotas.add(new Limited(directory, path.pathOf(i), i));
        }
        if (!quotas.isEmpty()) {
          put(directory, new Place(quotas, policyOf(path, i)));
        }
      }
    }
  }

  private static byte policyOf(ResolvedPath path, int index) {
    return new ResolvedPath(path.names().subList(0, index), path.inodes().subList(0, index + 1))
        .storagePolicyId();
  }

  /** A file, a symbolic link, or a new directory without entries, appears. */
  public void add(DirectoryInode directory, Inode inode) {
    Place place = placeOf(directory);
    if (place == Place.NOWHERE) {
      return;
    }
    if (inode instanceof FileInode file) {
      change(place, usage(file, place.policyId));
      return;
    }
    if (inode.isDirectory()) {
      put(inode, new Place(place.quotas, ownOr(inode, place.policyId)));
    }
    change(place, QuotaCounts.ONE_NAME);
  }

  public void remove(DirectoryInode directory, Inode inode) {
    Place place = placeOf(directory);
    if (place != Place.NOWHERE) {
      change(place, measure(inode, place.policyId).negated());
    }
  }

  public void move(DirectoryInode from, DirectoryInode to, Inode inode) {
    Place source = placeOf(from);
    Place target = placeOf(to);
    if (source == target || source.countsAs(target)) {
      return;
    }
    QuotaCounts leaving = measure(inode, source.policyId);
    QuotaCounts coming =
        source.policyId == target.policyId ? leaving : measure(inode, target.policyId);
    change(source, leaving.negated());
    change(target, coming);
  }

  /**
   * A file gets another state.
   *
   * @return whether a concurrent measurement of its directory must notice: closed files are not
   *     guarded by him
   */
  public boolean update(DirectoryInode directory, FileInode file) {
    FileInode before = latest(file.id());
    if (before == null) {
      return false;
    }
    files.add(file);
    Place place = placeOf(directory);
    change(place, usage(file, place.policyId).plus(usage(before, place.policyId).negated()));
    return !before.isUnderConstruction()
        && (file.isUnderConstruction()
            || !usage(before, place.policyId).equals(usage(file, place.policyId)));
  }

  private @Nullable FileInode latest(long fileId) {
    for (int i = files.size() - 1; i >= 0; i--) {
      if (files.get(i).id() == fileId) {
        return files.get(i);
      }
    }
    return null;
  }

  private void put(Inode directory, Place place) {
    if (places.isEmpty()) {
      places = new HashMap<>();
    }
    places.put(directory.id(), place);
  }

  private Place placeOf(DirectoryInode directory) {
    return places.isEmpty() ? Place.NOWHERE : places.getOrDefault(directory.id(), Place.NOWHERE);
  }

  private void change(Place place, QuotaCounts counts) {
    for (Limited limited : place.quotas) {
      if (changes.isEmpty()) {
        changes = new HashMap<>();
      }
      changes.merge(limited, counts, QuotaCounts::plus);
    }
  }

  // ---- what things count

  private QuotaCounts usage(FileInode file, byte directoryPolicyId) {
    return QuotaCounts.of(file, policy(ownOr(file, directoryPolicyId)));
  }

  private static byte ownOr(Inode inode, byte directoryPolicyId) {
    byte own = inode.features().storagePolicyId();
    return own == HdfsConstants.BLOCK_STORAGE_POLICY_ID_UNSPECIFIED ? directoryPolicyId : own;
  }

  private @Nullable BlockStoragePolicy policy(byte id) {
    return id == HdfsConstants.BLOCK_STORAGE_POLICY_ID_UNSPECIFIED
        ? null
        : context.settings().features().storagePolicies().policy(id);
  }

  /** What is used of a directory's quota now; guards nothing. */
  public QuotaCounts used(DirectoryInode directory) {
    return QuotaCounts.decode(
        transaction.unguarded().get(NamespaceKeys.quotaUsage(directory.id())));
  }

  /**
   * Counts an inode and all below it, exactly: a change there before the commit makes it conflict.
   * Guards a row of each directory, and each file that is being written.
   *
   * @param directoryPolicyId storage policy of its directory, which it inherits
   */
  private QuotaCounts measure(Inode inode, byte directoryPolicyId) {
    if (inode instanceof FileInode file) {
      return usage(file, directoryPolicyId);
    }
    if (!(inode instanceof DirectoryInode top)) {
      return QuotaCounts.ONE_NAME;
    }
    return top.features().quota().isSet() ? counted(top) : measure(top, directoryPolicyId);
  }

  private QuotaCounts measure(DirectoryInode top, byte directoryPolicyId) {
    record Left(DirectoryInode directory, byte policyId) {}
    Directories directories = new Directories(context);
    List<Left> left = new ArrayList<>();
    left.add(new Left(top, ownOr(top, directoryPolicyId)));
    QuotaCounts[] sum = {QuotaCounts.ZERO};
    while (!left.isEmpty()) {
      Left next = left.remove(left.size() - 1);
      sum[0] = sum[0].plus(QuotaCounts.ONE_NAME);
      DirectoryInode parent = directories.asItIs(next.directory);
      directories.guardEntries(parent);
      directories.forEachChild(
          parent,
          new byte[0],
          child -> {
            if (child.inode() instanceof FileInode file) {
              FileInode guarded = directories.guardIfOpen(parent, child.name(), file);
              sum[0] = sum[0].plus(usage(guarded, next.policyId));
            } else if (child.inode() instanceof DirectoryInode directory) {
              if (directory.features().quota().isSet()) {
                sum[0] = sum[0].plus(counted(directory));
              } else {
                left.add(new Left(directory, ownOr(directory, next.policyId)));
              }
            } else {
              sum[0] = sum[0].plus(QuotaCounts.ONE_NAME);
            }
            return true;
          });
    }
    return sum[0];
  }

  private QuotaCounts counted(DirectoryInode directory) {
    return QuotaCounts.decode(transaction.get(NamespaceKeys.quotaUsage(directory.id())));
  }

  /** The directory at the end of a path gets its first quota. */
  public void begin(ResolvedPath path, DirectoryInode directory) {
    QuotaCounts used = measure(directory, path.inheritedStoragePolicyId());
    transaction.put(NamespaceKeys.quotaUsage(directory.id()), used.toCounters().encode());
  }

  /** A directory loses its last quota, or goes. */
  public void end(DirectoryInode directory) {
    transaction.delete(NamespaceKeys.quotaUsage(directory.id()));
  }

  // ---- the end of a transaction

  /**
   * Writes what changed, and sees that no quota is exceeded by it.
   *
   * @throws QuotaExceededException of the deepest directory whose quota has no room
   * @throws ConflictException when there may be no room, depending on others that are under way
   */
  public void settle(QuotaReservations.Hold hold) throws QuotaExceededException {
    if (changes.isEmpty()) {
      return;
    }
    List<Limited> deepestFirst = new ArrayList<>(changes.keySet());
    deepestFirst.sort(Comparator.comparingInt(Limited::depth).reversed());
    boolean fits = false;
    try {
      for (Limited limited : deepestFirst) {
        check(limited, Objects.requireNonNull(changes.get(limited), "it changes"), hold);
      }
      fits = true;
    } finally {
      if (!fits) {
        hold.release();
      }
    }
    changes.forEach(
        (limited, counts) -> {
          if (!counts.equals(QuotaCounts.ZERO)) {
            transaction.add(NamespaceKeys.quotaUsage(limited.directory.id()), counts.toCounters());
          }
        });
  }

  private void check(Limited limited, QuotaCounts change, QuotaReservations.Hold hold)
      throws QuotaExceededException {
    QuotaCounts more = change.positive();
    if (more.equals(QuotaCounts.ZERO)) {
      return;
    }
    QuotaCounts reserved = hold.reserve(limited.directory.id(), more);
    // read after the reservation: what was given back before that is included here
    QuotaCounts used = used(limited.directory);
    Quota quota = limited.directory.features().quota();
    if (!context.isAlone() && isClose(quota, more, used.plus(change))) {
      used = counted(limited.directory); // nobody knows what other processes have reserved
    }
    QuotaExceededException exceeded = exceeded(quota, more, used.plus(change));
    if (exceeded != null) {
      exceeded.setPathName(limited.path);
      throw exceeded;
    }
    if (exceeded(quota, more, used.plus(reserved)) != null) {
      throw new ConflictException(NamespaceKeys.quotaUsage(limited.directory.id()));
    }
  }

  /** Null when there is room. What does not grow may stay above its limit. */
  private static @Nullable QuotaExceededException exceeded(
      Quota quota, QuotaCounts more, QuotaCounts after) {
    if (isOver(quota.names(), more.names(), after.names())) {
      return new NSQuotaExceededException(quota.names(), after.names());
    }
    if (isOver(spaceLimit(quota), more.spaceBytes(), after.spaceBytes())) {
      return new DSQuotaExceededException(spaceLimit(quota), after.spaceBytes());
    }
    for (Map.Entry<StorageType, Long> type : quota.typeBytes().entrySet()) {
      long bytes = after.typeBytes(type.getKey());
      if (isOver(type.getValue(), more.typeBytes(type.getKey()), bytes)) {
        return new QuotaByStorageTypeExceededException(type.getValue(), bytes, type.getKey());
      }
    }
    return null;
  }

  /**
   * Whether others that are under way might need what is left: then they are to conflict. Away from
   * its limit a quota is not guarded, so that they need not.
   */
  private static boolean isClose(Quota quota, QuotaCounts more, QuotaCounts after) {
    return isClose(quota.names(), more.names(), after.names())
        || isClose(spaceLimit(quota), more.spaceBytes(), after.spaceBytes())
        || quota.typeBytes().entrySet().stream()
            .anyMatch(
                type ->
                    isClose(
                        type.getValue(),
                        more.typeBytes(type.getKey()),
                        after.typeBytes(type.getKey())));
  }

  /** What is counted may not reach what 64 bits can count, whether there is a quota of space. */
  private static long spaceLimit(Quota quota) {
    return quota.spaceBytes() < 0 ? MOST_COUNTED : quota.spaceBytes();
  }

  private static boolean isClose(long limit, long more, long after) {
    return limit >= 0
        && more > 0
        && (limit - after < limit / SHARE_KEPT_FREE || more > limit / SHARE_OF_LARGE);
  }

  private static boolean isOver(long limit, long more, long after) {
    return limit >= 0 && more > 0 && after > limit;
  }
}
