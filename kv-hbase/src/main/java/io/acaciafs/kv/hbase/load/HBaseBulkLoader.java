package io.acaciafs.kv.hbase.load;

import io.acaciafs.kv.BulkLoader;
import io.acaciafs.kv.Counters;
import io.acaciafs.kv.Key;
import io.acaciafs.kv.StoreException;
import io.acaciafs.kv.Table;
import io.acaciafs.kv.hbase.client.ClusterClient;
import io.acaciafs.kv.hbase.schema.Columns;
import io.acaciafs.kv.hbase.schema.RowCell;
import io.acaciafs.kv.hbase.schema.RowKeys;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.TreeSet;
import java.util.random.RandomGenerator;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.util.Bytes;
import org.jspecify.annotations.Nullable;

/**
 * Writes rows into HBase's own files, and has the region servers take these over.
 *
 * <p>A run has a file for each shard that its rows are in. A file ends with its region, when it is
 * large, or with the table. A run goes on with the files of an earlier one that lies below it: many
 * small files would be a burden for HBase. Safe for use by many threads; each run for one.
 */
public final class HBaseBulkLoader implements BulkLoader {
  private static final long LARGEST_FILE_BYTES = 1L << 30;

  /** Rows that lie in no shard, and so in one file. */
  private static final int NO_SHARD = RowKeys.SHARDS;

  private final BulkFolder folder;
  private final NavigableSet<byte[]> regions;

  /** Of all rows; no transaction has the same. */
  private final long stamp;

  private final Map<Table, Written> tables = new HashMap<>();

  private HBaseBulkLoader(BulkFolder folder, NavigableSet<byte[]> regions, long stamp) {
    this.folder = folder;
    this.regions = regions;
    this.stamp = stamp;
  }

  /**
   * A loader of a store that no other process uses.
   *
   * @throws StoreException when the folder for its files cannot be made
   */
  public static HBaseBulkLoader of(ClusterClient client, String folder, RandomGenerator random) {
    TableName name = TableName.valueOf(client.options().table());
    TableDescriptor table = client.await(client.admin().getDescriptor(name), "describe the table");
    NavigableSet<byte[]> regions = new TreeSet<>(Bytes.BYTES_COMPARATOR);
    client.await(client.admin().getRegions(name), "list the regions").stream()
        .map(RegionInfo::getStartKey)
        .forEach(regions::add);
    try {
      return new HBaseBulkLoader(
          BulkFolder.empty(client.options(), table.getColumnFamily(Columns.DATA), folder),
          regions,
          random.nextLong());
    } catch (IOException e) {
      throw failed("The folder for bulk files cannot be made: " + folder, e);
    }
  }

  /** What was written of a table and is not loaded. Guarded by itself. */
  private static final class Written {
    /** Open ones, which a run may go on with. */
    private final List<Shards> idle = new ArrayList<>();

    private final List<Path> ended = new ArrayList<>();
  }

  /** The open file of each shard. */
  private static final class Shards {
    private final @Nullable BulkFile[] files = new BulkFile[RowKeys.SHARDS + 1];
    private @Nullable Key last;

    boolean isBelow(Key key) {
      return last == null || last.compareTo(key) < 0;
    }

    boolean isAbove(Shards other) {
      return last != null && !other.isBelow(last);
    }
  }

  private synchronized Written of(Table table) {
    return tables.computeIfAbsent(table, key -> new Written());
  }

  @Override
  public Run begin(Table table) {
    return new FilesRun(of(table));
  }

  @Override
  public void finish(Table table) {
    Written written = of(table);
    synchronized (written) {
      try {
        for (Shards shards : written.idle) {
          for (BulkFile file : shards.files) {
            if (file != null) {
              written.ended.add(file.close());
            }
          }
        }
        written.idle.clear();
        if (!written.ended.isEmpty()) {
          folder.load(List.copyOf(written.ended));
          written.ended.clear();
        }
      } catch (IOException e) {
        throw failed("HBase did not take the files of table " + table, e);
      }
    }
  }

  private static StoreException failed(String what, IOException cause) {
    return new StoreException(what + ": " + cause.getMessage(), cause);
  }

  private final class FilesRun implements Run {
    private final Written written;
    private @Nullable Shards shards;

    FilesRun(Written written) {
      this.written = written;
    }

    @Override
    public void add(Key key, byte[] value) {
      Shards open = shards;
      if (open == null) {
        open = take(key);
        shards = open;
      } else if (!open.isBelow(key)) {
        throw new StoreException("A row is not above the last one: " + key);
      }
      try {
        int shard = RowKeys.shardOf(key);
        byte[] row = RowKeys.of(key);
        fileOf(open, shard < 0 ? NO_SHARD : shard, row).add(row, cell(value));
        open.last = key;
      } catch (IOException e) {
        throw failed("Cannot add row " + key, e);
      }
    }

    /**
     * Those whose last row is nearest below the first one of this run; new ones for want of any.
     */
    private Shards take(Key first) {
      synchronized (written) {
        Shards best = null;
        for (Shards idle : written.idle) {
          if (idle.isBelow(first) && (best == null || idle.isAbove(best))) {
            best = idle;
          }
        }
        if (best == null) {
          return new Shards();
        }
        written.idle.remove(best);
        return best;
      }
    }

    private BulkFile fileOf(Shards open, int shard, byte[] row) throws IOException {
      BulkFile file = open.files[shard];
      if (file != null && file.isFor(row) && file.bytes() < LARGEST_FILE_BYTES) {
        return file;
      }
      if (file != null) {
        Path path = file.close();
        synchronized (written) {
          written.ended.add(path);
        }
      }
      BulkFile begun = folder.begin(row, regions);
      open.files[shard] = begun;
      return begun;
    }

    @Override
    public void close() {
      if (shards != null) {
        synchronized (written) {
          written.idle.add(shards);
        }
        shards = null;
      }
    }
  }

  /** As a transaction would have written it. Counters may be added to, so they are a base. */
  private byte[] cell(byte[] value) {
    return Counters.isEncoded(value)
        ? RowCell.Base.encode(value)
        : RowCell.Value.encode(stamp, value);
  }
}
