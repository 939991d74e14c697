package io.acaciafs.namespace.record;

import io.acaciafs.kv.Counters;
import io.acaciafs.kv.value.Saturated;
import java.util.Arrays;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.protocol.BlockStoragePolicy;
import org.jspecify.annotations.Nullable;

/**
 * What counts against a quota: names, bytes of all replicas, and bytes of the replicas on each type
 * of storage; also a change of it. Immutable.
 *
 * <p>Stored as a row of counters: names, space, then one sum a {@link StorageType} in the order of
 * its constants.
 */
public final class QuotaCounts {
  private static final int NAMES = 0;
  private static final int SPACE = 1;
  private static final int FIRST_TYPE = 2;
  private static final int LENGTH = FIRST_TYPE + StorageType.values().length;

  public static final QuotaCounts ZERO = new QuotaCounts(new long[0]);
  public static final QuotaCounts ONE_NAME = new QuotaCounts(new long[] {1});

  private final long[] values;

  private QuotaCounts(long[] values) {
    this.values = Arrays.copyOf(values, LENGTH);
  }

  /**
   * What a file counts: its name, and its blocks as often as it wants replicas, which go where its
   * policy says.
   *
   * @param policy null where none is set: then nothing counts for types of storage, as in HDFS
   */
  public static QuotaCounts of(FileInode file, @Nullable BlockStoragePolicy policy) {
    long oneReplica = oneReplicaBytes(file);
    long[] values = new long[LENGTH];
    values[NAMES] = 1;
    values[SPACE] = allReplicasBytes(file);
    if (policy != null) {
      for (StorageType type : policy.chooseStorageTypes(file.replication())) {
        if (type.supportTypeQuota()) {
          int place = FIRST_TYPE + type.ordinal();
          values[place] = Saturated.add(values[place], oneReplica);
        }
      }
    }
    return new QuotaCounts(values);
  }

  /** A block that is being written counts as a full one, as in HDFS. */
  public static long oneReplicaBytes(FileInode file) {
    if (!file.isUnderConstruction() || file.lastBlock() == null) {
      return file.lengthBytes();
    }
    return Saturated.add(file.withoutLastBlock().lengthBytes(), file.preferredBlockSizeBytes());
  }

  public static long allReplicasBytes(FileInode file) {
    return Saturated.multiply(oneReplicaBytes(file), file.replication());
  }

  /**
   * @param row null: nothing was counted
   */
  public static QuotaCounts decode(byte @Nullable [] row) {
    return new QuotaCounts(Counters.decode(row).sums());
  }

  public Counters toCounters() {
    return new Counters(values.clone(), new long[0]);
  }

  public long names() {
    return values[NAMES];
  }

  public long spaceBytes() {
    return values[SPACE];
  }

  public long typeBytes(StorageType type) {
    return values[FIRST_TYPE + type.ordinal()];
  }

  /** By the order of {@link StorageType}'s constants. */
  public long[] typeBytes() {
    return Arrays.copyOfRange(values, FIRST_TYPE, LENGTH);
  }

  public QuotaCounts plus(QuotaCounts other) {
    long[] sums = values.clone();
    for (int i = 0; i < LENGTH; i++) {
      sums[i] = Saturated.add(sums[i], other.values[i]);
    }
    return new QuotaCounts(sums);
  }

  public QuotaCounts negated() {
    return new QuotaCounts(Arrays.stream(values).map(value -> -value).toArray());
  }

  /** Only what is more than nothing. */
  public QuotaCounts positive() {
    return new QuotaCounts(Arrays.stream(values).map(value -> Math.max(0, value)).toArray());
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof QuotaCounts counts && Arrays.equals(values, counts.values);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(values);
  }

  @Override
  public String toString() {
    return "names=" + names() + " spaceBytes=" + spaceBytes() + Arrays.toString(typeBytes());
  }
}
