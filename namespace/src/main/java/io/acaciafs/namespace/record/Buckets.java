package io.acaciafs.namespace.record;

import com.google.protobuf.InvalidProtocolBufferException;
import io.acaciafs.kv.StoreException;
import io.acaciafs.kv.value.StableHash;
import io.acaciafs.namespace.proto.BucketsRecord;
import java.util.Arrays;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The buckets of a directory, each a partition of its own. The hashes of all names, 16 bits, are
 * cut into ranges; a bucket is a range, and its number is where the range begins. So bucket 0 is
 * always there, and dividing one in two leaves the numbers of all others as they are.
 *
 * <p>While a bucket is divided, its upper half is {@link #filling}: what is new goes there, what
 * was there before is in the lower one until it is moved. Immutable. Source of the idea: GIGA+
 * (Patil and Gibson, FAST 2011), which takes the low bits.
 */
public final class Buckets {
  /** As every directory begins. */
  public static final Buckets ONE = new Buckets(new int[] {0}, 0);

  /** A directory has no more. */
  public static final int MOST = 1024;

  private static final int HASH_BITS = 16;
  private static final int HASHES = 1 << HASH_BITS;
  private static final int SMALLEST = HASHES / MOST;

  private final int[] starts;
  private final int filling;

  private Buckets(int[] starts, int filling) {
    this.starts = starts;
    this.filling = filling;
  }

  /**
   * Buckets of the same size.
   *
   * @param count a power of two, up to {@link #MOST}
   */
  public static Buckets uniform(int count) {
    if (count < 1 || count > MOST || Integer.bitCount(count) != 1) {
      throw new IllegalArgumentException("Not a number of buckets: " + count);
    }
    int size = HASHES / count;
    return count == 1
        ? ONE
        : new Buckets(IntStream.range(0, count).map(i -> i * size).toArray(), 0);
  }

  /** The leading bits of FNV-1a (64 bits) of the name, mixed by MurmurHash3's finalizer. */
  static int hash(byte[] name) {
    return (int) (StableHash.mix(StableHash.fnv1a(name)) >>> Long.SIZE - HASH_BITS);
  }

  public boolean isOne() {
    return starts.length == 1;
  }

  public int count() {
    return starts.length;
  }

  /** Their numbers, in ascending order. */
  public int[] numbers() {
    return starts.clone();
  }

  public boolean contains(int bucket) {
    return Arrays.binarySearch(starts, bucket) >= 0;
  }

  /** The bucket in which an entry of this name is, or is to be; see {@link #formerOf}. */
  public int of(byte[] name) {
    return isOne() ? 0 : starts[indexOf(hash(name))];
  }

  private int indexOf(int hash) {
    int found = Arrays.binarySearch(starts, hash);
    return found >= 0 ? found : -found - 2;
  }

  /** The bucket in which an entry of this name may be still; mostly that of {@link #of}. */
  public int formerOf(byte[] name) {
    int bucket = of(name);
    return filling != 0 && bucket == filling ? emptying() : bucket;
  }

  /** The bucket that entries move into; 0 where none do. */
  public int filling() {
    return filling;
  }

  /** The bucket that entries move out of. */
  public int emptying() {
    return starts[indexOf(filling) - 1];
  }

  /** All buckets in which an entry of this name was since the directory had one. */
  public int[] everOf(byte[] name) {
    int hash = hash(name);
    int now = of(name);
    return IntStream.iterate(HASHES, size -> size >= SMALLEST, size -> size / 2)
        .map(size -> hash & -size)
        .filter(start -> start <= now)
        .distinct()
        .toArray();
  }

  /** Whether a bucket is there and can be divided. */
  public boolean isDivisible(int bucket) {
    int index = Arrays.binarySearch(starts, bucket);
    return filling == 0 && index >= 0 && end(index) - bucket > SMALLEST;
  }

  private int end(int index) {
    return index + 1 < starts.length ? starts[index + 1] : HASHES;
  }

  /** With the upper half of a bucket as a new one, which is going to be filled. */
  public Buckets divide(int bucket) {
    if (!isDivisible(bucket)) {
      throw new IllegalArgumentException("Cannot be divided: " + bucket + " of " + this);
    }
    int middle = (bucket + end(Arrays.binarySearch(starts, bucket))) / 2;
    int[] more = Arrays.copyOf(starts, starts.length + 1);
    more[starts.length] = middle;
    Arrays.sort(more);
    return new Buckets(more, middle);
  }

  /** The same when all entries have moved. */
  public Buckets filled() {
    return new Buckets(starts, 0);
  }

  public BucketsRecord toRecord() {
    BucketsRecord.Builder row = BucketsRecord.newBuilder().setFilling(filling);
    boolean isUniform =
        filling == 0
            && Integer.bitCount(starts.length) == 1
            && Arrays.equals(starts, uniform(starts.length).starts);
    if (isUniform) {
      row.setDepth(Integer.numberOfTrailingZeros(starts.length));
    } else {
      for (int start : starts) {
        row.addStarts(start);
      }
    }
    return row.build();
  }

  /**
   * @throws StoreException when these cannot be the buckets of a directory
   */
  public static Buckets of(BucketsRecord row) {
    if (row.getStartsCount() == 0) {
      if (row.getDepth() < 0 || row.getDepth() > Integer.numberOfTrailingZeros(MOST)) {
        throw new StoreException("No directory has 2^" + row.getDepth() + " buckets");
      }
      return uniform(1 << row.getDepth());
    }
    int[] starts = row.getStartsList().stream().mapToInt(Integer::intValue).toArray();
    boolean isSound = starts[0] == 0 && starts[starts.length - 1] < HASHES && starts.length <= MOST;
    for (int i = 1; i < starts.length; i++) {
      isSound &= starts[i] > starts[i - 1];
    }
    int filling = row.getFilling();
    isSound &= filling == 0 || Arrays.binarySearch(starts, filling) > 0;
    if (!isSound) {
      throw new StoreException("Not the buckets of a directory: " + Arrays.toString(starts));
    }
    return starts.length == 1 ? ONE : new Buckets(starts, filling);
  }

  /** As a header row. */
  public byte[] encode() {
    return toRecord().toByteArray();
  }

  /**
   * @param header null: there is none
   */
  public static Buckets decode(byte @Nullable [] header) {
    if (header == null) {
      return ONE;
    }
    try {
      return of(BucketsRecord.parseFrom(header));
    } catch (InvalidProtocolBufferException e) {
      throw new StoreException("Not the header of a directory", e);
    }
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Buckets buckets
        && filling == buckets.filling
        && Arrays.equals(starts, buckets.starts);
  }

  @Override
  public int hashCode() {
    return 31 * Arrays.hashCode(starts) + filling;
  }

  @Override
  public String toString() {
    return Arrays.toString(starts) + (filling == 0 ? "" : " filling " + filling);
  }
}
