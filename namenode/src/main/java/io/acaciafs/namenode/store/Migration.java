package io.acaciafs.namenode.store;

import io.acaciafs.blocks.ClusterIdentity;
import io.acaciafs.blocks.load.MovedBlocks;
import io.acaciafs.kv.StoreException;
import io.acaciafs.kv.Table;
import io.acaciafs.kv.copy.RowDigest;
import io.acaciafs.kv.copy.StoreCopy;
import io.acaciafs.kv.copy.StoreDigest;
import io.acaciafs.kv.engine.EngineStore;
import io.acaciafs.namenode.process.ResourceStack;
import io.acaciafs.namenode.process.Transactions;
import io.acaciafs.namenode.settings.NameNodeConfigKeys;
import io.acaciafs.namenode.settings.SettingsCheck;
import java.io.IOException;
import java.util.Set;
import java.util.function.LongConsumer;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSConfigKeys;

/**
 * Moves a file system from one engine to another: copies all rows, compares both stores, and makes
 * the new one ready to be served. The old one stays as it is, but its NameNodes that stand still
 * are ended. For one thread.
 *
 * <p>The folder that is filled holds a mark and how far the migration is, so one that was cut off
 * goes on, and no NameNode starts on the folder before the end. Rows of NameNodes that serve (the
 * tables {@code members} and {@code renewals}) and passing rows are not copied.
 */
public final class Migration {
  private final Configuration from;
  private final Configuration to;
  private final int threads;
  private final int rowsInPart;
  private final Steps steps;

  /** Is told how far it is. */
  public interface Steps {
    /**
     * A step begins.
     *
     * @param rows about how many it has to do; 0: nobody knows
     * @return is told of rows that are done; by several threads
     */
    LongConsumer begin(String step, long rows);
  }

  /**
   * What was moved.
   *
   * @param digest of all rows, on both sides
   * @param wentOn whether an earlier migration had copied some of them
   */
  public record Moved(String from, String to, RowDigest digest, boolean wentOn) {}

  private Migration(
      Configuration from, Configuration to, int threads, int rowsInPart, Steps steps) {
    this.from = from;
    this.to = to;
    this.threads = threads;
    this.rowsInPart = rowsInPart;
    this.steps = steps;
  }

  /**
   * Moves it.
   *
   * @param from the folder of a NameNode, or the name of an engine that keeps its store on servers
   * @param to the same; one of the two is a folder
   * @param threads that copy a table each
   * @param rowsInPart so many rows of a table are copied again after a kill, at most
   * @throws IOException with a sentence for people: a NameNode serves one of them, there is
   *     something in the new one, or one of them fails
   */
  public static Moved run(
      Configuration all, String from, String to, int threads, int rowsInPart, Steps steps)
      throws IOException {
    if (Engines.isShared(from) == Engines.isShared(to)) {
      throw new IOException(
          "A migration is between the folder of a NameNode and "
              + Engines.namesOnServers()
              + ": name one of each");
    }
    try {
      return new Migration(site(all, from), site(all, to), threads, rowsInPart, steps).run();
    } catch (StoreException e) {
      throw new IOException(e.getMessage(), e);
    }
  }

  private static Configuration site(Configuration all, String place) throws IOException {
    Configuration conf = CheckedSettings.of(all); // first: it sets the folder of this NameNode
    boolean isOnServers = Engines.isShared(place);
    conf.set(
        NameNodeConfigKeys.STORE_ENGINE.toString(), isOnServers ? place : Engines.defaultName());
    if (!isOnServers) {
      conf.set(DFSConfigKeys.DFS_NAMENODE_NAME_DIR_KEY, place);
    }
    return conf;
  }

  private Moved run() throws IOException {
    new SettingsCheck(to).requireHonesty();
    NameDirectory directory = NameDirectory.of(to);
    directory.refuseBackup();
    try (MigrationSource source = MigrationSource.open(from);
        ResourceStack resources = new ResourceStack()) {
      resources.add(directory.lock());
      ClusterIdentity identity = source.identity();
      StoreEngine engine = StoreEngine.of(to, directory, identity);
      engine.requireLoading();
      engine.loginTool();
      MigrationMarks marks = begin(directory, engine, source.place());
      boolean wentOn = !marks.isEmpty();
      RowDigest digest;
      try (ResourceStack opened = new ResourceStack()) {
        EngineStore target = opened.add(engine.open());
        digest = copy(source, target, marks);
        MovedBlocks.forgetOwners(Transactions.newRunner(target, opened));
        engine.introduce(target);
      }
      directory.write(identity, engine.name());
      directory.endFilling();
      marks.remove();
      return new Moved(source.place(), engine.place(), digest, wentOn);
    }
  }

  /** Takes the new place, or takes it up again. */
  private MigrationMarks begin(NameDirectory directory, StoreEngine engine, String source)
      throws IOException {
    if (directory.filling() != Filling.MIGRATING) {
      if (!directory.isEmpty()) {
        throw new IOException(
            "The folder "
                + directory.folder()
                + " is not empty. "
                + (engine.isShared()
                    ? "Name another one in dfs.namenode.name.dir, for the NameNode that will serve"
                        + " the "
                        + engine.place()
                    : "Name another one"));
      }
      if (engine.isShared() && engine.exists()) {
        throw new IOException(
            "There is a "
                + engine.place()
                + " already. Name another one, or drop it in "
                + engine.title());
      }
      return beginAnew(directory, engine, source);
    }
    MigrationMarks left = MigrationMarks.read(directory.migrationMarks());
    if (left == null) {
      return beginAnew(directory, engine, source);
    }
    if (!source.equals(left.from())) {
      throw new IOException(
          "The folder "
              + directory.folder()
              + " holds a migration from "
              + left.from()
              + " that did not come to its end, and this one is from "
              + source);
    }
    return left;
  }

  private static MigrationMarks beginAnew(
      NameDirectory directory, StoreEngine engine, String source) throws IOException {
    directory.beginFilling(Filling.MIGRATING);
    engine.formatAnew();
    return MigrationMarks.begin(directory.migrationMarks(), source);
  }

  /** Passing rows are of use for minutes, and each engine has its own. */
  private static Set<Table> tables() {
    return StoreTables.all().stream()
        .filter(table -> !table.isPassing())
        .collect(Collectors.toUnmodifiableSet());
  }

  private RowDigest copy(MigrationSource source, EngineStore target, MigrationMarks marks)
      throws IOException {
    if (marks.isCompared()) { // the new store has that, and only the old one may have changed
      RowDigest copied = marks.digest();
      RowDigest read =
          StoreDigest.of(source.store(), tables(), threads, steps.begin("compare", copied.rows()));
      requireSame(source, read, copied, marks);
      return copied;
    }
    long rows =
        tables().stream().mapToLong(table -> source.store().estimatedRows(table).orElse(0)).sum();
    RowDigest read =
        new StoreCopy(source.store(), tables(), threads, rowsInPart)
            .run(target.bulkLoader(), marks, steps.begin("copy", rows));
    RowDigest written =
        StoreDigest.of(target, tables(), threads, steps.begin("compare", read.rows()));
    requireSame(source, read, written, marks);
    marks.compared(read);
    return read;
  }

  private static void requireSame(
      MigrationSource source, RowDigest read, RowDigest written, MigrationMarks marks)
      throws IOException {
    if (!read.equals(written) || source.wasServed()) {
      marks.remove();
      throw new IOException(
          "What was copied is not what "
              + source.place()
              + " holds ("
              + describe(read)
              + ", copied "
              + describe(written)
              + "): a NameNode has served it meanwhile, or a disk has failed. Nothing was lost; the"
              + " same command begins anew");
    }
  }

  private static String describe(RowDigest digest) {
    return digest.rows() + " rows with checksum " + digest;
  }
}
