package io.acaciafs.blocks.check;

import io.acaciafs.blocks.datanode.StoredStorages;
import io.acaciafs.blocks.record.BlockKeys;
import io.acaciafs.blocks.record.BlockRecord;
import io.acaciafs.kv.Key;
import io.acaciafs.kv.KeyRange;
import io.acaciafs.kv.Reader;
import io.acaciafs.kv.Row;
import io.acaciafs.kv.Table;
import io.acaciafs.kv.check.CheckRun;
import io.acaciafs.kv.check.Question;
import io.acaciafs.kv.check.RowCheck;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** Checks all tables of blocks and DataNodes. For one thread, once. */
public final class BlocksCheck {
  /** What it walks over, but for the few rows of DataNodes. */
  public static final List<Table> TABLES =
      List.of(
          BlockKeys.BLOCKS,
          BlockKeys.REPLICAS,
          BlockKeys.REPAIRS,
          BlockKeys.PENDING_REPAIRS,
          BlockKeys.INVALIDATIONS);

  private final CheckRun run;
  private final FilesOfStore files;
  private StoredStorages storages = new StoredStorages(Map.of());

  public BlocksCheck(CheckRun run, FilesOfStore files) {
    this.run = run;
    this.files = files;
  }

  /** Looks at everything. */
  public void run() throws InterruptedException {
    loadStorages();
    run.beforeConfirming(this::loadStorages);
    run.walk(
        "datanodes",
        BlockKeys.storages(),
        each(key -> DatanodeQuestions.storage(key, () -> storages)));
    run.walk(
        "datanodes", BlockKeys.checks(), each(key -> DatanodeQuestions.check(key, () -> storages)));
    run.ask(run.store(), DatanodeQuestions.lastIndex());
    run.walk("blocks", BlockKeys.blocks(), new Blocks());
    walk("replicas", BlockKeys.REPLICAS, each(BlockIndexQuestions::replica));
    walk("repairs", BlockKeys.REPAIRS, each(BlockIndexQuestions::repair));
    walk("pending_repairs", BlockKeys.PENDING_REPAIRS, each(BlockIndexQuestions::pending));
    walk("invalidations", BlockKeys.INVALIDATIONS, each(BlockIndexQuestions::invalidation));
  }

  private void loadStorages() {
    storages = StoredStorages.read(run.store());
  }

  private void walk(String name, Table table, RowCheck check) throws InterruptedException {
    run.walk(name, KeyRange.ofTable(table), check);
  }

  private RowCheck each(Function<Key, Question> question) {
    return (reader, row) -> run.ask(reader, row, question.apply(row.key()));
  }

  private final class Blocks implements RowCheck {
    private final CountersCheck counters = new CountersCheck(run);

    @Override
    public void check(Reader reader, Row row) throws InterruptedException {
      BlockRecord record = CheckedBlock.decode(row.value());
      if (record != null) {
        counters.add(record);
      }
      run.ask(reader, row, new BlockQuestion(row.key(), files, () -> storages.indexes()));
    }

    @Override
    public List<Key> reads(Row row) {
      List<Key> keys = new ArrayList<>();
      BlockRecord record = CheckedBlock.decode(row.value());
      if (record != null) {
        keys.addAll(files.reads(record.fileId()));
        long blockId = BlockKeys.blockIdInBlock(row.key());
        record.storages().forEach(storage -> keys.add(BlockKeys.replica(storage, blockId)));
      }
      return keys;
    }

    @Override
    public void end() {
      counters.end();
    }
  }
}
