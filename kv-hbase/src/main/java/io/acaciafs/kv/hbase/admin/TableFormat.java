package io.acaciafs.kv.hbase.admin;

import io.acaciafs.hbase.protocol.RegionService;
import io.acaciafs.kv.Key;
import io.acaciafs.kv.StoreException;
import io.acaciafs.kv.Table;
import io.acaciafs.kv.hbase.client.Failures;
import io.acaciafs.kv.hbase.client.HBaseOptions;
import io.acaciafs.kv.hbase.schema.Columns;
import io.acaciafs.kv.hbase.schema.RowKeys;
import java.io.IOException;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.hadoop.hbase.TableExistsException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.AsyncAdmin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.CoprocessorDescriptorBuilder;
import org.apache.hadoop.hbase.client.Durability;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.io.encoding.DataBlockEncoding;
import org.apache.hadoop.hbase.regionserver.BloomType;
import org.apache.hadoop.hbase.util.Bytes;
import org.jspecify.annotations.Nullable;

/** The HBase table of a store: how it is made, and what an existing one must be like. */
public final class TableFormat {
  /** Stock HBase's own; loaded only if a table names it. */
  private static final String ENDPOINT =
      "org.apache.hadoop.hbase.coprocessor.MultiRowMutationEndpoint";

  /** A region grows to the size that the site sets, and then is cut between two prefixes. */
  private static final String SPLIT_POLICY =
      "org.apache.hadoop.hbase.regionserver.ConstantSizeRegionSplitPolicy";

  private static final String FORMAT_KEY = "acacia.format";
  private static final String FORMAT = "5";
  private static final String OWNER_KEY = "acacia.owner";

  /** HBase's setting, which a table may have. It would compact beside the load, again and again. */
  private static final String COMPACTION_AFTER_LOAD = "hbase.compaction.after.bulkload.enable";

  private static final long ADMIN_PATIENCE_S = 120;

  /** A read of a row decodes half a block; with HBase's 64 KiB that would be most of its cost. */
  private static final int BLOCK_BYTES = 8 * 1024;

  private TableFormat() {}

  /**
   * Makes the table.
   *
   * @param regions with how many regions it begins
   * @throws StoreException when there is one already
   */
  static void create(AsyncAdmin admin, HBaseOptions options, Set<Table> tables, int regions) {
    String name = options.table();
    TableDescriptor descriptor = descriptor(TableName.valueOf(name), options, tables);
    byte[][] splits = splits(tables, regions);
    await(
        name,
        splits.length == 0 ? admin.createTable(descriptor) : admin.createTable(descriptor, splits));
  }

  static void remove(AsyncAdmin admin, String name) {
    TableName table = TableName.valueOf(name);
    if (await(name, admin.tableExists(table))) {
      if (await(name, admin.isTableEnabled(table))) {
        await(name, admin.disableTable(table));
      }
      await(name, admin.deleteTable(table));
    }
  }

  /**
   * Checks that a table is one that {@link #create} made, and for the same owner.
   *
   * @param owner null: anybody
   */
  public static void check(TableDescriptor descriptor, @Nullable String owner) {
    ColumnFamilyDescriptor data = descriptor.getColumnFamily(Columns.DATA);
    if (!FORMAT.equals(descriptor.getValue(FORMAT_KEY))
        || data == null
        || !data.isNewVersionBehavior()
        || !descriptor.hasCoprocessor(ENDPOINT)) {
      throw new StoreException(
          "The HBase table "
              + descriptor.getTableName()
              + " was not made by this version's format; choose another name, or drop it in HBase");
    }
    String found = descriptor.getValue(OWNER_KEY);
    if (owner != null && !owner.equals(found)) {
      throw new StoreException(
          "The HBase table "
              + descriptor.getTableName()
              + " belongs to "
              + (found == null ? "nobody that it names" : found)
              + ", and not to "
              + owner
              + ": another file system is in it, or it was formatted anew from elsewhere. Name the"
              + " table of this one");
    }
  }

  /** Whether regions of the table load Acacia's coprocessor. */
  public static boolean hasCoprocessor(TableDescriptor descriptor) {
    return descriptor.hasCoprocessor(RegionService.CLASS);
  }

  private static TableDescriptor descriptor(
      TableName name, HBaseOptions options, Set<Table> tables) {
    String owner = options.owner();
    try {
      TableDescriptorBuilder builder =
          TableDescriptorBuilder.newBuilder(name)
              .setColumnFamily(family(Columns.DATA))
              .setColumnFamily(family(Columns.RECORDS))
              .setDurability(Durability.SYNC_WAL)
              .setRegionSplitPolicyClassName(SPLIT_POLICY)
              .setCoprocessor(ENDPOINT)
              .setValue(FORMAT_KEY, FORMAT)
              .setValue(COMPACTION_AFTER_LOAD, "false");
      if (owner != null) {
        builder.setValue(OWNER_KEY, owner);
      }
      addCoprocessor(builder, options.coprocessor());
      int prefix = RowKeys.longestPartition(tables);
      if (prefix > 0) {
        builder
            .setValue("hbase.regionserver.region.split_restriction.type", "KeyPrefix")
            .setValue(
                "hbase.regionserver.region.split_restriction.prefix_length",
                String.valueOf(prefix));
      }
      return builder.build();
    } catch (IOException e) {
      throw new StoreException("HBase does not take the description of the table", e);
    }
  }

  private static void addCoprocessor(TableDescriptorBuilder builder, String jar)
      throws IOException {
    if (jar.equals(HBaseOptions.NO_COPROCESSOR)) {
      return;
    }
    CoprocessorDescriptorBuilder coprocessor =
        CoprocessorDescriptorBuilder.newBuilder(RegionService.CLASS);
    if (!jar.equals(HBaseOptions.COPROCESSOR_ON_CLASS_PATH)) {
      coprocessor.setJarPath(jar);
    }
    builder.setCoprocessor(coprocessor.build());
  }

  private static ColumnFamilyDescriptor family(byte[] name) {
    return ColumnFamilyDescriptorBuilder.newBuilder(name)
        .setMaxVersions(1)
        .setNewVersionBehavior(true)
        .setBloomFilterType(BloomType.ROW)
        .setDataBlockEncoding(DataBlockEncoding.FAST_DIFF)
        .setBlocksize(BLOCK_BYTES)
        .build();
  }

  /**
   * Between shards, so that what lies near each other stays together, and where there are more
   * regions than shards between partitions.
   */
  public static byte[][] splits(Set<Table> tables, int regions) {
    Set<byte[]> splits = new TreeSet<>(Bytes.BYTES_COMPARATOR);
    boolean isSharded = tables.stream().anyMatch(t -> t.isScattered() || RowKeys.isSpread(t));
    for (int i = 1; isSharded && i < regions; i++) {
      int first = (int) ((long) i * 0x10000 / regions);
      byte shard = (byte) (first * RowKeys.SHARDS >>> Short.SIZE);
      boolean isBetweenShards = regions <= RowKeys.SHARDS || first * RowKeys.SHARDS % 0x10000 == 0;
      if (isBetweenShards) {
        splits.add(new byte[] {RowKeys.SCATTERED, shard});
      } else {
        byte[] prefix = {(byte) (first >>> 8), (byte) first};
        tables.stream()
            .filter(RowKeys::isSpread)
            .forEach(table -> splits.add(RowKeys.of(new Key(table, prefix))));
      }
    }
    return splits.toArray(new byte[0][]);
  }

  static <T> T await(String name, Future<T> future) {
    try {
      return future.get(ADMIN_PATIENCE_S, TimeUnit.SECONDS);
    } catch (ExecutionException e) {
      Throwable cause = Objects.requireNonNullElse(e.getCause(), e);
      if (cause instanceof TableExistsException) {
        throw new StoreException("HBase has a table " + name + " already", cause);
      }
      throw new StoreException("HBase refused: " + Failures.reason(cause), cause);
    } catch (TimeoutException e) {
      throw new StoreException("HBase's master did not answer in " + ADMIN_PATIENCE_S + " s", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new StoreException("Interrupted while HBase's master was to answer", e);
    }
  }
}
