package io.acaciafs.namespace.record;

import io.acaciafs.kv.Key;
import io.acaciafs.kv.KeyRange;
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
 * entries    locator(16) bucket(2) 1                counters of the directory
 *            locator(16) bucket(2) 2 name           an entry: the inode
 *            locator(16) bucket(2) 3 client(16) call(4)  what a call was answered
 * inodes     inode id(8)                            where the entry is
 * open_files inode id(8)                            lease holder
 * jobs       job id(8)                              persisted intent
 * retries    time in ms(8) locator(16)              directories with answers, by age
 * quotas     inode id(8)                            what is used of a directory's quota
 * dictionary 1 name | 2 id(4) | 3                   name to id | id to name | next id
 * ids        kind(1)                                first id not yet given out
 *            0                                      row-key layout
 * </pre>
 *
 * Numbers are big endian. HDFS orders names by signed bytes and stores by unsigned ones, so each
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

  /** The longer, the fewer index rows, and the longer answers stay when they have expired. */
  public static final long RETRIES_INDEXED_TOGETHER_MS = 300_000;

  private static final byte COUNTERS_ROW = 1;
  private static final byte ENTRY_ROW = 2;
  private static final byte RETRY_ROW = 3;
  private static final int NAME_OFFSET = PARTITION_LENGTH + 1;

  private NamespaceKeys() {}

  public static Set<Table> tables() {
    return Set.of(ENTRIES, INODES, OPEN_FILES, JOBS, RETRIES, QUOTAS, DICTIONARY, IDS);
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

  /** Whether a row of {@code entries} is an entry, and not a row of the directory itself. */
  public static boolean isEntry(Key row) {
    return row.bytes()[PARTITION_LENGTH] == ENTRY_ROW;
  }

  /** Whether a row of {@code entries} is the answer to a call. */
  public static boolean isRetry(Key row) {
    return row.bytes()[PARTITION_LENGTH] == RETRY_ROW;
  }

  /** The answer to a call, beside what the call did. */
  public static Key retry(Locator directory, byte[] clientId, int callId) {
    ByteBuffer key = ByteBuffer.allocate(NAME_OFFSET + clientId.length + Integer.BYTES);
    partition(key, directory, 0).put(RETRY_ROW).put(clientId).putInt(callId);
    return new Key(ENTRIES, key.array());
  }

  /** All answers of a directory. */
  public static KeyRange retries(Locator directory) {
    ByteBuffer prefix = ByteBuffer.allocate(NAME_OFFSET);
    partition(prefix, directory, 0).put(RETRY_ROW);
    return KeyRange.ofPrefix(ENTRIES, prefix.array());
  }

  /** When the while began that this moment is in; it has one index row for each directory. */
  public static long beginOfRetries(long timeMs) {
    return timeMs - Math.floorMod(timeMs, RETRIES_INDEXED_TOGETHER_MS);
  }

  /** The row that finds the answers that a directory got in a while. */
  public static Key retries(long beginMs, Locator directory) {
    ByteBuffer key = ByteBuffer.allocate(Long.BYTES + Locator.LENGTH).putLong(beginMs);
    directory.writeTo(key);
    return new Key(RETRIES, key.array());
  }

  /** Index rows from a key on, of all that was answered before a time. */
  public static KeyRange retries(byte[] from, long untilMs) {
    return new KeyRange(RETRIES, from, bytesOf(beginOfRetries(untilMs)));
  }

  /** The directory whose answers an index row finds. */
  public static Locator directoryOfRetries(Key index) {
    return Locator.of(Arrays.copyOfRange(index.bytes(), Long.BYTES, index.bytes().length));
  }

  /** The directory that a row of {@code entries} lies in. */
  public static Locator directoryOf(Key row) {
    return Locator.of(Arrays.copyOf(row.bytes(), Locator.LENGTH));
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

  /** What is used of a directory's quota. */
  public static Key quotaUsage(long directoryId) {
    return new Key(QUOTAS, bytesOf(directoryId));
  }

  static Key idOfName(String name) {
    byte[] bytes = name.getBytes(StandardCharsets.UTF_8);
    return new Key(
        DICTIONARY, ByteBuffer.allocate(1 + bytes.length).put((byte) 1).put(bytes).array());
  }

  static Key nameOfId(int id) {
    return new Key(
        DICTIONARY, ByteBuffer.allocate(1 + Integer.BYTES).put((byte) 2).putInt(id).array());
  }

  static Key nextNameId() {
    return new Key(DICTIONARY, new byte[] {3});
  }

  static Key nextId(IdKind kind) {
    return new Key(IDS, new byte[] {kind.code()});
  }

  /** How locators are made. */
  public static Key layout() {
    return new Key(IDS, new byte[] {0});
  }

  static byte[] bytesOf(long value) {
    return ByteBuffer.allocate(Long.BYTES).putLong(value).array();
  }

  private static ByteBuffer partition(ByteBuffer key, Locator directory, int bucket) {
    directory.writeTo(key);
    return key.putShort((short) bucket);
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
