package io.acaciafs.kv.rocksdb;

import io.acaciafs.kv.BulkLoader;
import io.acaciafs.kv.Key;
import io.acaciafs.kv.Table;
import io.acaciafs.kv.rocksdb.common.Failure;
import io.acaciafs.kv.rocksdb.files.NativeObjects;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.rocksdb.ColumnFamilyOptions;
import org.rocksdb.DBOptions;
import org.rocksdb.EnvOptions;
import org.rocksdb.IngestExternalFileOptions;
import org.rocksdb.Options;
import org.rocksdb.RocksDBException;
import org.rocksdb.SstFileWriter;

/** Writes each run as a file of RocksDB's own, and hands the files over. Safe for many threads. */
final class RocksDbBulkLoader implements BulkLoader {
  private final Database database;
  private final AtomicInteger files = new AtomicInteger();
  private final Map<Table, List<String>> ended = new HashMap<>();

  /**
   * @param database is inside its gate whenever this is used
   */
  RocksDbBulkLoader(Database database) {
    this.database = database;
  }

  @Override
  public Run begin(Table table) {
    return new FileRun(table, database.bulkFile(files.getAndIncrement()));
  }

  @Override
  public void finish(Table table) {
    List<String> paths;
    synchronized (ended) {
      paths = ended.remove(table);
    }
    if (paths == null) {
      return;
    }
    database.gate().enter();
    try (IngestExternalFileOptions options =
        new IngestExternalFileOptions().setMoveFiles(true).setWriteGlobalSeqno(false)) {
      database.ingest(table, paths, options);
    } finally {
      database.gate().leave();
    }
  }

  private void note(Table table, String path) {
    synchronized (ended) {
      ended.computeIfAbsent(table, key -> new ArrayList<>()).add(path);
    }
  }

  /** One file, made with the first row. */
  private final class FileRun implements Run {
    private final NativeObjects natives = new NativeObjects();
    private final Table table;
    private final String path;
    private @Nullable SstFileWriter writer;

    FileRun(Table table, String path) {
      this.table = table;
      this.path = path;
    }

    @Override
    public void add(Key key, byte[] value) {
      try {
        if (writer == null) {
          writer = open();
        }
        writer.put(key.bytes(), value);
      } catch (RocksDBException e) {
        throw Failure.of("Cannot add row " + key, e);
      }
    }

    private SstFileWriter open() throws RocksDBException {
      database.gate().enter();
      try {
        ColumnFamilyOptions family =
            natives.add(database.handle(table).getDescriptor().getOptions());
        DBOptions plain = natives.add(new DBOptions());
        Options options = natives.add(new Options(plain, family));
        SstFileWriter opened =
            natives.add(new SstFileWriter(natives.add(new EnvOptions()), options));
        opened.open(path);
        return opened;
      } finally {
        database.gate().leave();
      }
    }

    @Override
    public void close() {
      try {
        if (writer != null) {
          writer.finish();
          note(table, path);
        }
      } catch (RocksDBException e) {
        throw Failure.of("Cannot end a run of table " + table, e);
      } finally {
        natives.close();
      }
    }
  }
}
