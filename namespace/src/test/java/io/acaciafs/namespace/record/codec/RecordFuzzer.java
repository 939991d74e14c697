package io.acaciafs.namespace.record.codec;

import io.acaciafs.kv.Key;
import io.acaciafs.kv.KeyRange;
import io.acaciafs.kv.Reader;
import io.acaciafs.kv.Scan;
import io.acaciafs.kv.StoreException;
import io.acaciafs.kv.Transaction;
import io.acaciafs.kv.memory.MemoryStore;
import io.acaciafs.namespace.record.Buckets;
import io.acaciafs.namespace.record.DirectoryCounters;
import io.acaciafs.namespace.record.DirectoryInode;
import io.acaciafs.namespace.record.FileInode;
import io.acaciafs.namespace.record.FormerDirectory;
import io.acaciafs.namespace.record.Inode;
import io.acaciafs.namespace.record.InodeLocation;
import io.acaciafs.namespace.record.OpenFile;
import io.acaciafs.namespace.record.QuotaCounts;
import io.acaciafs.namespace.record.RetryEntry;
import io.acaciafs.namespace.record.SplitJob;
import io.acaciafs.namespace.record.SweepJob;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import java.util.stream.IntStream;

/**
 * Any bytes as a stored record. Target of a coverage-guided fuzzer (docs/fuzzing.md); {@link
 * FuzzedRecordTest} replays its corpus.
 *
 * <p>What has to hold: bytes are a record, which encodes to bytes that are the same record again,
 * or they are refused by a {@link StoreException}; and whoever reads a record in his own way reads
 * the same.
 *
 * <p>The first byte of an input says which record.
 */
public final class RecordFuzzer {
  private static final int NAMES = 128;

  /** Knows a name for each small number. */
  private static final Reader READER =
      new Reader() {
        @Override
        public byte[] get(Key key) {
          int id = ByteBuffer.wrap(key.bytes(), 1, Integer.BYTES).getInt();
          return id <= 0 || id >= NAMES ? null : name(id).getBytes(StandardCharsets.UTF_8);
        }

        @Override
        public Scan scan(KeyRange range) {
          throw new UnsupportedOperationException();
        }
      };

  private static final InodeCodec DECODER = InodeCodec.forReading(READER, new Dictionary());
  private static final InodeCodec ENCODER = encoder();

  private static final List<Function<byte[], Object>> RECORDS =
      List.of(
          RecordFuzzer::inode,
          row -> again(row, DirectoryCounters::decode, DirectoryCounters::encode),
          row -> again(row, QuotaCounts::decode, counts -> counts.toCounters().encode()),
          row -> again(row, Buckets::decode, Buckets::encode),
          row -> again(row, InodeLocation::decode, InodeLocation::encode),
          row -> again(row, OpenFile::decode, OpenFile::encode),
          row -> again(row, RetryEntry::decode, RetryEntry::encode),
          row -> again(row, FormerDirectory::decode, FormerDirectory::encode),
          row -> again(row, SweepJob::decode, SweepJob::encode),
          row -> again(row, SplitJob::decode, SplitJob::encode));

  private RecordFuzzer() {}

  private static String name(int id) {
    return "name" + id;
  }

  /** Gives each name the number by which it is read. */
  private static InodeCodec encoder() {
    MemoryStore store = new MemoryStore();
    Dictionary dictionary = new Dictionary();
    Transaction learning = store.begin();
    dictionary.learn(learning, IntStream.range(1, NAMES).mapToObj(RecordFuzzer::name).toList());
    learning.commit().join();
    return InodeCodec.in(store.begin(), dictionary);
  }

  /** Called by the fuzzer. */
  public static void fuzzerTestOneInput(byte[] input) {
    if (input.length > 0) {
      byte[] row = Arrays.copyOfRange(input, 1, input.length);
      RECORDS.get((input[0] & 0xff) % RECORDS.size()).apply(row);
    }
  }

  private static <R> R again(
      byte[] row, Function<byte[], R> decode, Function<? super R, byte[]> encode) {
    R record;
    try {
      record = decode.apply(row);
    } catch (StoreException e) {
      return null;
    }
    byte[] encoded = encode.apply(record);
    R same = decode.apply(encoded);
    require(Arrays.equals(encode.apply(same), encoded), "a record is the same when read again");
    boolean hasArray = record instanceof InodeLocation || record instanceof SplitJob;
    require(hasArray || same.equals(record), "a record equals what is read again");
    return record;
  }

  private static Inode inode(byte[] row) {
    Inode inode = again(row, DECODER::decode, record -> ENCODER.encode(record));
    Inode any;
    try {
      any = DECODER.decodeAny(row, 0, row.length);
    } catch (StoreException e) {
      any = null;
    }
    require(inode == null ? any == null : inode.equals(any), "both ways to read read the same");
    if (inode != null) {
      require(
          DECODER.decode(ENCODER.encodeAny(inode)).equals(inode),
          "both ways to write write the same");
      sizes(inode, row);
    }
    return inode;
  }

  private static void sizes(Inode inode, byte[] row) {
    PlainInode plain = new PlainInode(false);
    if (plain.read(row, 0, row.length)) {
      boolean isFile = plain.kind() == PlainInode.Kind.FILE;
      require(isFile == inode instanceof FileInode, "an entry is of one kind");
      if (inode instanceof FileInode file) {
        require(plain.lengthBytes() == file.lengthBytes(), "a file has one length");
        require(plain.blockCount() == file.blocks().size(), "a file has so many blocks");
      }
      if (inode instanceof DirectoryInode directory) {
        require(plain.locator().equals(directory.locator()), "a directory has one locator");
      }
    }
  }

  private static void require(boolean condition, String rule) {
    if (!condition) {
      throw new AssertionError("Broken: " + rule);
    }
  }
}
