package io.acaciafs.kv.rocksdb;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;

import io.acaciafs.kv.StoreException;
import io.acaciafs.kv.Table;
import io.acaciafs.kv.rocksdb.common.Damage;
import io.acaciafs.kv.rocksdb.common.Failure;
import io.acaciafs.kv.rocksdb.common.Families;
import io.acaciafs.kv.rocksdb.files.NativeLibrary;
import io.acaciafs.kv.rocksdb.files.NativeObjects;
import io.acaciafs.kv.rocksdb.files.PassingFiles;
import io.acaciafs.kv.rocksdb.files.RocksDbFiles;
import io.acaciafs.kv.rocksdb.lock.RowSlots;
import io.acaciafs.kv.rocksdb.log.CommitLog;
import io.acaciafs.kv.rocksdb.log.local.FolderMark;
import io.acaciafs.kv.rocksdb.log.local.LocalLog;
import io.acaciafs.kv.rocksdb.log.local.LogSegment;
import io.acaciafs.kv.rocksdb.log.local.Manifest;
import io.acaciafs.kv.rocksdb.log.local.PageBuffer;
import io.acaciafs.kv.rocksdb.memtable.Memtable;
import io.acaciafs.kv.rocksdb.memtable.PartitionVersions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.rocksdb.ColumnFamilyDescriptor;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.FlushOptions;
import org.rocksdb.Options;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.Status;
import org.rocksdb.WriteOptions;

/**
 * Opens a folder, with a column family for each table, and a {@link CommitLog}. The default column
 * family holds one row, the number of the format: which tables mean what is their users' matter,
 * how a table lies in RocksDB is this number's. In format 1 RocksDB kept the log, which it reads
 * once more where one was left; in format 2 there was no {@link FolderMark}.
 */
final class DatabaseOpener {
  private static final long LONGEST_CALL_MS = 60_000;
  private static final int SLOT_BITS = 20;
  private static final int PARTITION_BITS = 16;

  /** Of the memtable, as many as the log has segments: what was made lately is used most. */
  private static final int PARTS_KEPT = LocalLog.SEGMENTS;

  private static final byte[] FORMAT_KEY = "format".getBytes(UTF_8);
  private static final String FORMAT = "3";
  private static final String FORMAT_WITHOUT_MARK = "2";
  private static final String FORMAT_WITHOUT_LOG = "1";

  /** Of the process, as RocksDB's own code is. */
  private static final NativeLibrary LIBRARY = new NativeLibrary(RocksDB::loadLibrary);

  private static final String DEFAULT = new String(RocksDB.DEFAULT_COLUMN_FAMILY, UTF_8);

  private final Path folder;
  private final Set<Table> tables;
  private final RocksDbOptions options;
  private final CommitLog.Opener logs;

  /**
   * @param logs opens the log of the folder
   */
  DatabaseOpener(Path folder, Set<Table> tables, RocksDbOptions options, CommitLog.Opener logs) {
    this.folder = folder;
    this.tables = tables;
    this.options = options;
    this.logs = logs;
  }

  /**
   * @throws StoreException when the folder is in use, broken or of another format
   */
  Database open() {
    loadLibrary();
    NativeObjects natives = new NativeObjects();
    boolean opened = false;
    try {
      Files.createDirectories(folder);
      LogSegment.syncFolder(requireNonNull(folder.toAbsolutePath().getParent()));
      FolderMark mark = FolderMark.read(folder);
      requireFilesOf(mark);
      refuseUnknownTables();
      Database database = open(natives, mark);
      opened = true;
      return database;
    } catch (IOException e) {
      throw Failure.of("Cannot open folder " + folder, e);
    } catch (RocksDBException e) {
      throw refusal(e);
    } finally {
      if (!opened) {
        natives.close();
      }
    }
  }

  /** Waits while another thread does so. */
  static void loadLibrary() {
    LIBRARY.load();
  }

  /** Without its lists RocksDB takes a folder for a new one. */
  private void requireFilesOf(@Nullable FolderMark mark) throws IOException {
    if (mark != null) {
      mark.requireManifest(folder);
    } else if (!Manifest.isNamedIn(folder)) {
      try (Stream<Path> files = Files.list(folder)) {
        if (files.anyMatch(file -> LogSegment.isSegment(file) || isTable(file))) {
          throw Damage.of(folder, "its file CURRENT is missing");
        }
      }
    }
  }

  static boolean isTable(Path file) {
    return file.toString().endsWith(".sst");
  }

  private Database open(NativeObjects natives, @Nullable FolderMark mark) throws RocksDBException {
    NativeOptions nativeOptions = new NativeOptions(options, natives);
    List<Table> ordered = List.copyOf(tables);
    List<ColumnFamilyDescriptor> families = new ArrayList<>();
    families.add(
        new ColumnFamilyDescriptor(RocksDB.DEFAULT_COLUMN_FAMILY, nativeOptions.ofDefault()));
    for (Table table : ordered) {
      families.add(
          new ColumnFamilyDescriptor(table.name().getBytes(UTF_8), nativeOptions.ofTable(table)));
    }
    List<ColumnFamilyHandle> opened = new ArrayList<>();
    RocksDB db =
        natives.add(RocksDB.open(nativeOptions.ofDatabase(), folder.toString(), families, opened));
    opened.forEach(natives::add);
    boolean isOlder = isOlder(db, mark);
    Map<Table, ColumnFamilyHandle> handles = new HashMap<>();
    Map<Table, Integer> numbers = new HashMap<>();
    for (int i = 0; i < ordered.size(); i++) {
      handles.put(ordered.get(i), opened.get(i + 1));
      numbers.put(ordered.get(i), opened.get(i + 1).getID());
    }
    int segmentBytes =
        PageBuffer.roundUp(Math.toIntExact(options.maxWalBytes() / LocalLog.SEGMENTS));
    Memtable memtable =
        new Memtable(
            new Families(numbers),
            new RowSlots(SLOT_BITS),
            new PartitionVersions(PARTITION_BITS),
            segmentBytes,
            PARTS_KEPT);
    CommitLog log = logs.open(folder, segmentBytes, memtable::recover);
    memtable.seal();
    if (isOlder) {
      writeFormat(db); // only now, as there is a mark
    }
    PassingFiles passing =
        new PassingFiles(
            db,
            handles.keySet().stream().filter(Table::isPassing).map(handles::get).toList(),
            options.passingRowsKeptMs(),
            System::currentTimeMillis,
            System::nanoTime);
    natives.atEnd(passing::end);
    RocksDbFiles files = new RocksDbFiles(db, opened, natives, passing);
    return new Database(db, handles, memtable, log, files, natives, LONGEST_CALL_MS);
  }

  private void refuseUnknownTables() throws RocksDBException {
    if (!Files.exists(folder.resolve("CURRENT"))) {
      return; // nothing was ever stored
    }
    Set<String> unknown = new TreeSet<>();
    try (Options plain = new Options()) {
      for (byte[] name : RocksDB.listColumnFamilies(plain, folder.toString())) {
        unknown.add(new String(name, UTF_8));
      }
    }
    unknown.remove(DEFAULT);
    unknown.removeAll(tables.stream().map(Table::name).collect(Collectors.toSet()));
    if (!unknown.isEmpty()) {
      throw new StoreException(
          "Folder " + folder + " holds tables that this version does not know: " + unknown);
    }
  }

  private boolean isOlder(RocksDB db, @Nullable FolderMark mark) throws RocksDBException {
    byte[] format = db.get(FORMAT_KEY);
    String found = format == null ? FORMAT_WITHOUT_LOG : new String(format, UTF_8);
    switch (found) {
      case FORMAT_WITHOUT_LOG, FORMAT_WITHOUT_MARK -> {
        return true;
      }
      case FORMAT -> {
        if (mark == null) {
          throw Damage.of(folder, "its file " + FolderMark.FILE + " is missing");
        }
        return false;
      }
      default ->
          throw new StoreException("Folder " + folder + " has format " + found + ", not " + FORMAT);
    }
  }

  /** Into a file, so that nothing depends on RocksDB's own log. */
  private static void writeFormat(RocksDB db) throws RocksDBException {
    try (WriteOptions synced = new WriteOptions().setSync(true);
        FlushOptions awaited = new FlushOptions()) {
      db.put(synced, FORMAT_KEY, FORMAT.getBytes(UTF_8));
      db.flush(awaited);
    }
  }

  private StoreException refusal(RocksDBException e) {
    String message = String.valueOf(e.getMessage());
    if (message.contains("While lock file") || message.contains("lock hold by current process")) {
      return new StoreException(
          "Folder " + folder + " is in use already; one process at a time may open it", e);
    }
    boolean isDamaged =
        message.contains("No such file or directory")
            || e.getStatus() != null && e.getStatus().getCode() == Status.Code.Corruption;
    String advice = isDamaged ? ". " + Damage.adviceFor(folder) : "";
    return new StoreException("Cannot open folder " + folder + ": " + message + advice, e);
  }
}
