package io.acaciafs.namespace.record;

import io.acaciafs.kv.Key;
import io.acaciafs.kv.KeyRange;
import io.acaciafs.kv.Row;
import io.acaciafs.kv.RowView;
import io.acaciafs.kv.Table;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Set;

/**
 * The key space of the namespace. A directory's partition is its locator and a bucket; in it lie
 * the rows of the directory itself and its entries:
 *
 * <pre>
 * entries    locator(16) bucket(2) 0                header: which buckets there are; in bucket 0
 *            locator(16) bucket(2) 1                counters of the bucket
 *            locator(16) bucket(2) 2 name           an entry: the inode
 *            locator(16) bucket(2) 3 client(16) call(4)  what a call was answered
 *            locator(16) bucket(2) 4 length(2) name locator(16)  a directory that had this name
 * inodes     inode id(8)                            where the entry is
 * open_files inode id(8)                            lease holder
 * jobs       job id(8) | 255 directory id(8)        persisted intent: to sweep | to split
 * retries    time in ms(8) locator(16)              directories with rows 3 or 4, by age; and the
 *                                                   bucket(2), where it is not 0
 * answers    client(16) call(4)                     what a call was answered
 * quotas     inode id(8)                            what is used of a directory's quota
 * dictionary 1 name | 2 id(4) | 3                   name to id | id to name | next id
 *            4 .. 7                                 delegation tokens, see TokenKeys
 * ids        kind(1)                                first id not yet given out
 *            0                                      row-key layout
 *            255                                    for how long NameNodes have run
 * renewals   client name                            changes when a client renews its lease
 * </pre>
 *
 * The first two bytes of the locator are XORed with the bucket, so that the buckets of a directory
 * lie far from each other, and evenly.
 *
 * <p>Numbers are big endian. HDFS orders names by signed bytes and stores by unsigned ones, so each
 * byte of a name stands in the key with its highest bit flipped.
 */
public final class NamespaceKeys {
  static final int PARTITION_LENGTH = Locator.LENGTH + Short.BYTES;

  public static final Table ENTRIES = new Table("entries", PARTITION_LENGTH);
  public static final Table INODES = Table.ofScatteredRows("inodes");
  public static final Table OPEN_FILES = Table.ofScatteredRows("open_files");
  public static final Table JOBS = Table.ofSingleRows("jobs");
  public static final Table RETRIES = Table.ofSingleRows("retries");
  public static final Table QUOTAS = Table.ofScatteredRows("quotas");
  public static final Table DICTIONARY = Table.ofSingleRows("dictionary");
  public static final Table IDS = Table.ofSingleRows("ids");

  /** Answers to calls, where one process runs all operations. */
  public static final Table ANSWERS = Table.ofPassingRows("answers");

  /** Where several processes run operations; one that is alone remembers renewals. */
  public static final Table RENEWALS = Table.ofSingleRows("renewals");

  /** The longer, the fewer index rows, and the longer answers stay when they have expired. */
  public static final long RETRIES_INDEXED_TOGETHER_MS = 300_000;

  private static final byte HEADER_ROW = 0;
  private static final byte COUNTERS_ROW = 1;
  private static final byte ENTRY_ROW = 2;
  private static final byte RETRY_ROW = 3;
  private static final byte FORMER_ROW = 4;
  private static final int NAME_OFFSET = PARTITION_LENGTH + 1;

  /** Ids of jobs are positive, so no key begins with it. */
  private static final byte SPLIT_JOB = (byte) 0xff;

  private NamespaceKeys() {}

  public static Set<Table> tables() {
    return Set.of(ENTRIES, INODES, OPEN_FILES, JOBS, RETRIES, ANSWERS, QUOTAS, DICTIONARY, IDS);
  }

  public static Key entry(Locator directory, int bucket, byte[] name) {
    ByteBuffer key = ByteBuffer.allocate(NAME_OFFSET + name.length);
    partition(key, directory, bucket).put(ENTRY_ROW).put(flipped(name));
    return new Key(ENTRIES, key.array());
  }

  /** All entries of a bucket. */
  public static KeyRange entries(Locator directory, int bucket) {
    ByteBuffer prefix = ByteBuffer.allocate(NAME_OFFSET);
    partition(prefix, directory, bucket).put(ENTRY_ROW);
    return KeyRange.ofPrefix(ENTRIES, prefix.array());
  }

  /**
   * The entries of a bucket behind a name.
   *
   * @param name empty for all
   */
  public static KeyRange entriesBehind(Locator directory, int bucket, byte[] name) {
    KeyRange all = entries(directory, bucket);
    return name.length == 0 ? all : all.startingAfter(entry(directory, bucket, name).bytes());
  }

  /** The name of the entry whose row this is. */
  public static byte[] nameOf(Key entry) {
    return flipped(Arrays.copyOfRange(entry.bytes(), NAME_OFFSET, entry.bytes().length));
  }

  /** The same of a row that a scan shows. */
  public static byte[] nameOf(RowView entry) {
    byte[] name = entry.keyFrom(NAME_OFFSET);
    flip(name);
    return name;
  }

  /** In HDFS's order, of two entries in whichever buckets. */
  public static int compareNames(Row one, Row other) {
    byte[] a = one.key().bytes();
    byte[] b = other.key().bytes();
    return Arrays.compareUnsigned(a, NAME_OFFSET, a.length, b, NAME_OFFSET, b.length);
  }

  /** Whether a row of {@code entries} is an entry, and not a row of the directory itself. */
  public static boolean isEntry(Key row) {
    return row.bytes()[PARTITION_LENGTH] == ENTRY_ROW;
  }

  /** Whether a row of {@code entries} is an answer or a former directory, kept for a while. */
  public static boolean isRetry(Key row) {
    return row.bytes()[PARTITION_LENGTH] == RETRY_ROW || isFormerDirectory(row);
  }

  /** Whether a row of {@code entries} is about a directory that had a name. */
  public static boolean isFormerDirectory(Key row) {
    return row.bytes()[PARTITION_LENGTH] == FORMER_ROW;
  }

  /** Whether a row of {@code entries} is the header of a directory with several buckets. */
  public static boolean isHeader(Key row) {
    return row.bytes()[PARTITION_LENGTH] == HEADER_ROW;
  }

  /** The bucket that a row of {@code entries} lies in. */
  public static int bucketOf(Key row) {
    return ByteBuffer.wrap(row.bytes()).getShort(Locator.LENGTH) & 0xffff;
  }

  /** Says which buckets a directory has that has several. */
  public static Key header(Locator directory) {
    ByteBuffer key = ByteBuffer.allocate(NAME_OFFSET);
    partition(key, directory, 0).put(HEADER_ROW);
    return new Key(ENTRIES, key.array());
  }

  /** The answer to a call, beside what the call did. */
  public static Key retry(Locator directory, int bucket, byte[] clientId, int callId) {
    ByteBuffer key = ByteBuffer.allocate(NAME_OFFSET + clientId.length + Integer.BYTES);
    partition(key, directory, bucket).put(RETRY_ROW).put(clientId).putInt(callId);
    return new Key(ENTRIES, key.array());
  }

  /** The same in a table of all answers: those of one client lie one after the other. */
  public static Key answer(byte[] clientId, int callId) {
    ByteBuffer key = ByteBuffer.allocate(clientId.length + Integer.BYTES);
    return new Key(ANSWERS, key.put(clientId).putInt(callId).array());
  }

  /** A directory that lost its name in a directory. */
  public static Key formerDirectory(Locator parent, int bucket, byte[] name, Locator former) {
    ByteBuffer key = ByteBuffer.allocate(formerLength(name) + Locator.LENGTH);
    former.writeTo(formerPrefix(key, parent, bucket, name));
    return new Key(ENTRIES, key.array());
  }

  /** All directories that lost a name in a bucket of a directory. */
  public static KeyRange formerDirectories(Locator parent, int bucket, byte[] name) {
    ByteBuffer prefix = ByteBuffer.allocate(formerLength(name));
    return KeyRange.ofPrefix(ENTRIES, formerPrefix(prefix, parent, bucket, name).array());
  }

  /** The directory that lost its name. */
  public static Locator formerDirectoryOf(Key row) {
    byte[] key = row.bytes();
    return Locator.of(Arrays.copyOfRange(key, key.length - Locator.LENGTH, key.length));
  }

  private static int formerLength(byte[] name) {
    return NAME_OFFSET + Short.BYTES + name.length;
  }

  private static ByteBuffer formerPrefix(ByteBuffer key, Locator parent, int bucket, byte[] name) {
    return partition(key, parent, bucket).put(FORMER_ROW).putShort((short) name.length).put(name);
  }

  /** All answers and former directories in a bucket that an index row finds. */
  public static KeyRange retries(Key index) {
    byte[] bytes = index.bytes();
    int bucketAt = Long.BYTES + Locator.LENGTH;
    Locator directory = Locator.of(Arrays.copyOfRange(bytes, Long.BYTES, bucketAt));
    int bucket = bytes.length > bucketAt ? ByteBuffer.wrap(bytes).getShort(bucketAt) : 0;
    ByteBuffer from = ByteBuffer.allocate(NAME_OFFSET);
    ByteBuffer to = ByteBuffer.allocate(NAME_OFFSET);
    partition(from, directory, bucket).put(RETRY_ROW);
    partition(to, directory, bucket).put((byte) (FORMER_ROW + 1));
    return new KeyRange(ENTRIES, from.array(), to.array());
  }

  /** When the while began that this moment is in; it has one index row for each directory. */
  public static long beginOfRetries(long timeMs) {
    return timeMs - Math.floorMod(timeMs, RETRIES_INDEXED_TOGETHER_MS);
  }

  /** The row that finds the answers that a bucket of a directory got in a while. */
  public static Key retries(long beginMs, Locator directory, int bucket) {
    int length = Long.BYTES + Locator.LENGTH + (bucket == 0 ? 0 : Short.BYTES);
    ByteBuffer key = ByteBuffer.allocate(length).putLong(beginMs);
    directory.writeTo(key);
    if (bucket != 0) {
      key.putShort((short) bucket);
    }
    return new Key(RETRIES, key.array());
  }

  /** Index rows from a key on, of all that was answered before a time. */
  public static KeyRange retries(byte[] from, long untilMs) {
    return new KeyRange(RETRIES, from, bytesOf(beginOfRetries(untilMs)));
  }

  /** The directory that a row of {@code entries} lies in. */
  public static Locator directoryOf(Key row) {
    byte[] locator = Arrays.copyOf(row.bytes(), Locator.LENGTH);
    xor(ByteBuffer.wrap(locator), 0, bucketOf(row));
    return Locator.of(locator);
  }

  /** Whether a row that a scan shows, of bucket 0, lies in a directory. */
  public static boolean isIn(Locator directory, RowView row) {
    return directory.begins(row);
  }

  public static Key counters(Locator directory, int bucket) {
    ByteBuffer key = ByteBuffer.allocate(NAME_OFFSET);
    partition(key, directory, bucket).put(COUNTERS_ROW);
    return new Key(ENTRIES, key.array());
  }

  public static Key inode(long id) {
    return new Key(INODES, bytesOf(id));
  }

  public static Key openFile(long inodeId) {
    return new Key(OPEN_FILES, bytesOf(inodeId));
  }

  /** The inode id or job id of a row of {@code inodes}, {@code open_files} or {@code jobs}. */
  public static long idOf(Key row) {
    return ByteBuffer.wrap(row.bytes()).getLong();
  }

  public static Key job(long jobId) {
    return new Key(JOBS, bytesOf(jobId));
  }

  /** Intents to sweep, from a key on. */
  public static KeyRange sweepJobs(byte[] from) {
    return new KeyRange(JOBS, from, new byte[] {SPLIT_JOB});
  }

  /** The one intent there may be to split a bucket of this directory. */
  public static Key splitJob(long directoryId) {
    return new Key(
        JOBS, ByteBuffer.allocate(1 + Long.BYTES).put(SPLIT_JOB).putLong(directoryId).array());
  }

  /** The directory of an intent to split. */
  public static long directoryOfSplit(Key job) {
    return ByteBuffer.wrap(job.bytes()).getLong(1);
  }

  public static KeyRange splitJobs() {
    return KeyRange.ofPrefix(JOBS, new byte[] {SPLIT_JOB});
  }

  /** What is used of a directory's quota. */
  public static Key quotaUsage(long directoryId) {
    return new Key(QUOTAS, bytesOf(directoryId));
  }

  /** By which other processes hear that a client renewed its lease. */
  public static Key renewal(String clientName) {
    return new Key(RENEWALS, clientName.getBytes(StandardCharsets.UTF_8));
  }

  /** The client whose row this is. */
  public static String clientOf(Key renewal) {
    return new String(renewal.bytes(), StandardCharsets.UTF_8);
  }

  public static Key idOfName(String name) {
    byte[] bytes = name.getBytes(StandardCharsets.UTF_8);
    return new Key(
        DICTIONARY, ByteBuffer.allocate(1 + bytes.length).put((byte) 1).put(bytes).array());
  }

  public static Key nameOfId(int id) {
    return new Key(
        DICTIONARY, ByteBuffer.allocate(1 + Integer.BYTES).put((byte) 2).putInt(id).array());
  }

  public static Key nextNameId() {
    return new Key(DICTIONARY, new byte[] {3});
  }

  public static Key nextId(IdKind kind) {
    return new Key(IDS, new byte[] {kind.code()});
  }

  /** How locators are made. */
  public static Key layout() {
    return new Key(IDS, new byte[] {0});
  }

  /** For how long processes have run on the store. */
  public static Key runningTime() {
    return new Key(IDS, new byte[] {(byte) 0xff});
  }

  static byte[] bytesOf(long value) {
    return ByteBuffer.allocate(Long.BYTES).putLong(value).array();
  }

  private static ByteBuffer partition(ByteBuffer key, Locator directory, int bucket) {
    directory.writeTo(key);
    if (bucket != 0) {
      xor(key, key.position() - Locator.LENGTH, bucket);
    }
    return key.putShort((short) bucket);
  }

  private static void xor(ByteBuffer key, int at, int bucket) {
    key.putShort(at, (short) (key.getShort(at) ^ bucket));
  }

  private static byte[] flipped(byte[] name) {
    byte[] flipped = name.clone();
    flip(flipped);
    return flipped;
  }

  private static void flip(byte[] name) {
    for (int i = 0; i < name.length; i++) {
      name[i] ^= (byte) 0x80;
    }
  }
}
