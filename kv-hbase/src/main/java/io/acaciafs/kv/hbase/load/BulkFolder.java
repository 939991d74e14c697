package io.acaciafs.kv.hbase.load;

import io.acaciafs.kv.hbase.client.Connections;
import io.acaciafs.kv.hbase.client.HBaseOptions;
import io.acaciafs.kv.hbase.schema.Columns;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.io.hfile.HFileContextBuilder;
import org.apache.hadoop.hbase.regionserver.StoreFileWriter;
import org.apache.hadoop.hbase.regionserver.StoreUtils;
import org.apache.hadoop.hbase.tool.BulkLoadHFiles;

/**
 * Where files lie between their writing and their loading: a folder of the store's own, which this
 * process and all region servers reach by the same name. Safe for use by many threads.
 */
final class BulkFolder {
  /** The region is flushed before; and files that are not on an HDFS are copied. */
  private static final int LOAD_TIMEOUT_MS = 600_000;

  private final Configuration conf;
  private final TableName table;
  private final ColumnFamilyDescriptor family;
  private final Path folder;
  private final FileSystem files;

  private BulkFolder(
      Configuration conf, TableName table, ColumnFamilyDescriptor family, Path folder)
      throws IOException {
    this.conf = conf;
    this.table = table;
    this.family = family;
    this.folder = folder;
    this.files = folder.getFileSystem(conf);
  }

  /**
   * An empty one: what a process left there that was cut off is removed.
   *
   * @param parent the folder that the site has set
   */
  static BulkFolder empty(HBaseOptions options, ColumnFamilyDescriptor family, String parent)
      throws IOException {
    Configuration conf = Connections.configuration(options);
    conf.setFloat(HConstants.HFILE_BLOCK_CACHE_SIZE_KEY, 0); // nothing is read here
    conf.setInt(BulkLoadHFiles.MAX_FILES_PER_REGION_PER_FAMILY, Integer.MAX_VALUE);
    conf.setInt(HConstants.HBASE_RPC_TIMEOUT_KEY, LOAD_TIMEOUT_MS);
    conf.setInt(HConstants.HBASE_CLIENT_OPERATION_TIMEOUT, LOAD_TIMEOUT_MS);
    TableName table = TableName.valueOf(options.table());
    Path folder = new Path(parent, table.getNameAsString().replace(':', '-'));
    BulkFolder empty = new BulkFolder(conf, table, family, folder);
    empty.clear();
    empty.files.mkdirs(folder);
    return empty;
  }

  /**
   * Begins a file.
   *
   * @param row its first one
   * @param regions the first rows of all regions
   */
  BulkFile begin(byte[] row, NavigableSet<byte[]> regions) throws IOException {
    StoreFileWriter writer =
        new StoreFileWriter.Builder(conf, files)
            .withOutputDir(folder)
            .withBloomType(family.getBloomFilterType())
            .withFileContext(
                new HFileContextBuilder()
                    .withDataBlockEncoding(family.getDataBlockEncoding())
                    .withBlockSize(family.getBlocksize())
                    .withChecksumType(StoreUtils.getChecksumType(conf))
                    .withBytesPerCheckSum(StoreUtils.getBytesPerChecksum(conf))
                    .withIncludesTags(true)
                    .withColumnFamily(family.getName())
                    .withTableName(table.getName())
                    .build())
            .build();
    return new BulkFile(writer, regions.higher(row));
  }

  /** Hands files to the region servers. When this returns HBase shows their rows, durably. */
  void load(List<Path> written) throws IOException {
    BulkLoadHFiles.create(conf).bulkLoad(table, Map.of(Columns.DATA, written));
    for (Path file : written) {
      files.delete(file, false); // on an HDFS they were moved, on other file systems copied
    }
  }

  void clear() throws IOException {
    files.delete(folder, true);
  }

  @Override
  public String toString() {
    return folder.toString();
  }
}
