package io.acaciafs.namespace.model;

import static io.acaciafs.namespace.testkit.NamespaceFixture.CLIENT;
import static io.acaciafs.namespace.testkit.NamespaceFixture.SUPERUSER;

import io.acaciafs.kv.Store;
import io.acaciafs.kv.memory.MemoryStore;
import io.acaciafs.kv.rocksdb.RocksDbOptions;
import io.acaciafs.kv.rocksdb.RocksDbStore;
import io.acaciafs.namespace.op.directory.Delete;
import io.acaciafs.namespace.op.directory.GetFileInfo;
import io.acaciafs.namespace.op.directory.Rename2;
import io.acaciafs.namespace.op.file.AppendFile;
import io.acaciafs.namespace.op.file.CompleteFile;
import io.acaciafs.namespace.op.file.ConcatFiles;
import io.acaciafs.namespace.op.file.TruncateFile;
import io.acaciafs.namespace.op.quota.SetQuota;
import io.acaciafs.namespace.record.FileBlock;
import io.acaciafs.namespace.testkit.ManualClock;
import io.acaciafs.namespace.testkit.NamespaceFixture;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.apache.hadoop.fs.CreateFlag;
import org.apache.hadoop.fs.Options;
import org.apache.hadoop.hdfs.protocol.Block;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Short histories of a few threads that write on, join, cut, move and replace the same few files,
 * in a directory whose quota is nearly used up, are linearizable.
 */
class FileLinearizabilityTest {
  private static final int HISTORIES = 300;
  private static final List<String> PATHS = List.of("/d/a", "/d/b", "/d/c", "/d/e");
  private static final int CLOSED = 3;
  private static final long LENGTH = 1024;
  private static final String OTHER_CLIENT = "client_2";
  private static final Model.User USER = new Model.User("hdfs", true, Set.of());

  /** The directory and all but one of the files. */
  private static final long NAMES = 4;

  /** As many blocks as there are at first. */
  private static final long SPACE = 3 * 3 * LENGTH;

  @TempDir private Path folder;

  @Test
  void memory() throws IOException {
    for (int i = 0; i < HISTORIES; i++) {
      check(i, new MemoryStore());
    }
  }

  @Test
  void rocksDb() throws IOException {
    for (int i = 0; i < HISTORIES / 10; i++) {
      Path store = folder.resolve("store" + i);
      check(i, RocksDbStore.open(store, NamespaceFixture.tables(), RocksDbOptions.defaults()));
    }
  }

  private static void check(int seed, Store store) throws IOException {
    ManualClock clock = new ManualClock();
    try (NamespaceFixture fixture =
        new NamespaceFixture(store, NamespaceFixture.settings(4, 0), clock)) {
      Model model = new Model(clock.millis());
      List<FileBlock> blocks = makeFiles(fixture, model);
      ConcurrentHistory.check(seed, fixture, model, random -> step(random, blocks));
    }
  }

  /** Closed files with a full block each. */
  private static List<FileBlock> makeFiles(NamespaceFixture fixture, Model model)
      throws IOException {
    fixture.mkdir("/d");
    model.tree().mkdirs(USER, "/d", 0755, true);
    Node directory = model.existing(USER, "/d");
    List<FileBlock> blocks = new ArrayList<>();
    for (String path : PATHS.subList(0, CLOSED)) {
      fixture.fileWithBlock(path, LENGTH);
      FileBlock block = fixture.fileAt(path).lastBlock();
      blocks.add(block);
      model.files().create(USER, path, 0644, CLIENT, false, true);
      Node file = model.existing(USER, path);
      ModelBlock known = new ModelBlock();
      known.id = block.id();
      known.commit(block.generationStamp(), LENGTH);
      file.blocks.add(known);
      model.recovery().close(file);
    }
    fixture.run(new SetQuota("/d", NAMES, SPACE, null));
    directory.quotas.put(ModelQuotas.NAMES, NAMES);
    directory.quotas.put(ModelQuotas.SPACE, SPACE);
    return blocks;
  }

  private static Step step(Random random, List<FileBlock> blocks) {
    String path = PATHS.get(random.nextInt(PATHS.size()));
    String other = PATHS.get(random.nextInt(PATHS.size()));
    String client = random.nextBoolean() ? CLIENT : OTHER_CLIENT;
    return switch (random.nextInt(10)) {
      case 0, 1 -> append(path, client);
      case 2 -> {
        FileBlock last = blocks.get(random.nextInt(blocks.size()));
        yield complete(path, client, last);
      }
      case 3, 4 ->
          Step.of(
              "concat " + path + " " + other,
              SUPERUSER,
              new ConcatFiles(path, List.of(other)),
              nothing -> "done",
              m -> m.changes().concat(USER, path, List.of(other)));
      case 5 ->
          Step.of(
              "rename2 " + path + " " + other,
              SUPERUSER,
              new Rename2(path, other, EnumSet.of(Options.Rename.OVERWRITE)),
              nothing -> "done",
              m -> m.tree().rename2(USER, path, other, true, false));
      case 6 -> create(path, client, random.nextBoolean());
      case 7 ->
          Step.of(
              "truncate " + path,
              SUPERUSER,
              new TruncateFile(path, LENGTH, client),
              String::valueOf,
              m -> m.changes().truncate(USER, path, LENGTH, client));
      case 8 ->
          Step.of(
              "delete " + path,
              SUPERUSER,
              new Delete(path, false),
              String::valueOf,
              m -> m.tree().delete(USER, path, false));
      default ->
          Step.of(
              "info " + path,
              SUPERUSER,
              new GetFileInfo(path),
              status -> status == null ? "none" : Rendering.describe(status),
              m -> m.reading().info(USER, path, false));
    };
  }

  private static Step append(String path, String client) {
    return Step.of(
        "append " + path + " " + client,
        SUPERUSER,
        new AppendFile(path, client, false),
        appended -> "appended " + (appended.reopened() == null ? "0 0" : "to a block"),
        m -> m.changes().append(USER, path, client, false));
  }

  private static Step complete(String path, String client, FileBlock last) {
    return Step.of(
        "complete " + path + " " + client + " " + last.id(),
        SUPERUSER,
        new CompleteFile(path, 0, client, new Block(last.id(), LENGTH, last.generationStamp())),
        String::valueOf,
        m -> m.files().complete(USER, path, 0, client, last.id(), LENGTH));
  }

  private static Step create(String path, String client, boolean overwrite) {
    return Step.of(
        "create " + path + " " + client + " " + overwrite,
        SUPERUSER,
        overwrite
            ? NamespaceFixture.create(path, 0644, client, CreateFlag.CREATE, CreateFlag.OVERWRITE)
            : NamespaceFixture.create(path, 0644, client, CreateFlag.CREATE),
        status -> "created",
        m -> m.files().create(USER, path, 0644, client, overwrite, true));
  }
}
