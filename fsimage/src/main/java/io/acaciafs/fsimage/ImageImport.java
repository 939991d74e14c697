package io.acaciafs.fsimage;

import io.acaciafs.blocks.load.LoadedBlocks;
import io.acaciafs.fsimage.format.ImageFile;
import io.acaciafs.fsimage.format.ImageProgress;
import io.acaciafs.fsimage.format.ImageSource;
import io.acaciafs.fsimage.sort.LongList;
import io.acaciafs.fsimage.sort.RowSorter;
import io.acaciafs.fsimage.sort.RowSorters;
import io.acaciafs.fsimage.survey.ImageSurvey;
import io.acaciafs.fsimage.survey.InodeDecoder;
import io.acaciafs.fsimage.survey.InodeSectionPass;
import io.acaciafs.fsimage.survey.Refusal;
import io.acaciafs.fsimage.survey.SurveyCounts;
import io.acaciafs.kv.BulkLoader;
import io.acaciafs.kv.run.Operation;
import io.acaciafs.kv.run.TransactionRunner;
import io.acaciafs.namespace.record.IdKind;
import io.acaciafs.namespace.record.NamespaceKeys;
import io.acaciafs.namespace.record.QuotaCounts;
import io.acaciafs.namespace.record.codec.Dictionary;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Takes the namespace of an HDFS cluster over from its image: {@link #survey} looks at all of it,
 * {@link #load} writes it into an empty store. Both stream; what does not fit into memory is sorted
 * in files in a folder. Memory holds sort buffers of a fixed size and some 21 bytes a directory.
 *
 * <p>For one thread. {@link #close} removes the files.
 */
public final class ImageImport implements AutoCloseable {
  private static final int LARGEST_UNIT_BYTES = 64 << 20;
  private static final int SMALLEST_UNIT_BYTES = 4 << 20;

  /** So much of the heap is one buffer of one thread. */
  private static final int SHARE_OF_HEAP = 16;

  /** More transactions than a NameNode writes between its image and its end. */
  private static final long TRANSACTION_MARGIN = 1L << 32;

  private static final int ROWS_IN_TRANSACTION = 1000;
  private static final long TRANSACTION_SECONDS = 60;

  private final ImageSource source;
  private final boolean isVerified;
  private final InodeDecoder decoder;
  private final Path folder;
  private final int threads;
  private final int unitBytes;
  private @Nullable Surveyed surveyed;

  private ImageImport(
      ImageSource source, boolean isVerified, Path folder, int threads, int unitBytes) {
    this.source = source;
    this.isVerified = isVerified;
    this.decoder = new InodeDecoder(source.image(), source.strings());
    this.folder = folder;
    this.threads = threads;
    this.unitBytes = unitBytes;
  }

  /**
   * @param image the file
   * @param folder for what does not fit into memory; created, and removed by {@link #close}; what
   *     an import that was cut off has left there is removed now
   * @param threads that work on inodes, beside the caller's
   * @param checkMd5 false: whatever the checksum beside the image says
   * @throws IOException with a sentence when it is none, or damaged, or of a rolling upgrade that
   *     is under way
   */
  public static ImageImport open(
      Path image, Path folder, int threads, boolean checkMd5, ImageProgress progress)
      throws IOException {
    long unit = Runtime.getRuntime().maxMemory() / SHARE_OF_HEAP / (threads + 1);
    int unitBytes = (int) Math.max(SMALLEST_UNIT_BYTES, Math.min(LARGEST_UNIT_BYTES, unit));
    return open(image, folder, threads, checkMd5, progress, unitBytes);
  }

  /**
   * @param unitBytes of a buffer to sort in
   */
  static ImageImport open(
      Path image, Path folder, int threads, boolean checkMd5, ImageProgress progress, int unitBytes)
      throws IOException {
    progress.begin("verify");
    ImageFile file = ImageFile.open(image);
    boolean isVerified = checkMd5 && file.verifyMd5();
    ImageSource source = ImageSource.read(file);
    source.requireNoRollingUpgrade();
    if (Files.exists(folder)) {
      remove(folder);
    }
    Files.createDirectories(
        folder, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    return new ImageImport(source, isVerified, folder, threads, unitBytes);
  }

  /** Of the cluster: DataNodes know it by this number, too. */
  public int namespaceId() {
    return source.nameSystem().getNamespaceId();
  }

  /**
   * Reads all inodes and directories once.
   *
   * @throws IOException when something makes no sense
   */
  public ImageReport survey(ImageProgress progress) throws IOException {
    InodeSectionPass pass = new InodeSectionPass(source.image(), threads);
    ImageSurvey survey = new ImageSurvey(source.image(), decoder, source.legacyStampLimit());
    pass.run("read inodes", progress, survey);
    if (source.hasSnapshots()) {
      survey.refuse(Refusal.SNAPSHOT, source.snapshottable());
    }
    DirectoryTable directories = DirectoryTable.of(source.image(), survey.directories());
    ParentTable parents;
    try (RowSorter pairs = new RowSorter(folder, "parents", unitBytes)) {
      new DirectoryPass(source.image(), directories, pairs).run(progress, survey.counts().inodes());
      parents = ParentTable.build(folder.resolve("parents.table"), pairs, source.image());
    }
    directories.resolve(parents, survey.specials(), source.hasSnapshots());
    Surveyed found = new Surveyed(survey, directories, parents);
    surveyed = found;
    return new ImageReport(
        survey.counts(),
        source.snapshots(),
        new EnumMap<>(survey.refused()),
        survey.refused().isEmpty() ? Map.of() : paths(found, progress),
        source.notes(),
        isVerified);
  }

  private Map<Refusal, List<String>> paths(Surveyed found, ImageProgress progress)
      throws IOException {
    InodeNames names = new InodeNames(found.parents(), found.directories());
    for (LongList ids : found.survey().named().values()) {
      for (int i = 0; i < ids.size(); i++) {
        names.want(ids.get(i));
      }
    }
    new InodeSectionPass(source.image(), threads).run("look for names", progress, names);
    Map<Refusal, List<String>> paths = new EnumMap<>(Refusal.class);
    found
        .survey()
        .named()
        .forEach(
            (refusal, ids) -> {
              List<String> some = new ArrayList<>();
              for (int i = 0; i < ids.size(); i++) {
                some.add(names.pathOf(ids.get(i)));
              }
              paths.put(refusal, some);
            });
    return paths;
  }

  /**
   * Writes all but what the survey found that it cannot be taken. The store is whole only when this
   * returns.
   *
   * @param runner of an empty store
   * @return how many inodes stay behind
   * @throws IOException when something makes no sense, or the store fails
   */
  public long load(TransactionRunner runner, BulkLoader loader, ImageProgress progress)
      throws IOException {
    Surveyed found = Objects.requireNonNull(surveyed, "the survey comes first");
    ImageSurvey survey = found.survey();
    Dictionary dictionary = new Dictionary();
    learnNames(runner, dictionary);
    try (RowSorters rows = RowSorters.in(folder, unitBytes)) {
      TreeImport tree = new TreeImport(source, decoder, found, rows, runner.store(), dictionary);
      new InodeSectionPass(source.image(), threads).run("sort inodes", progress, tree);
      tree.finish();
      SurveyCounts counts = survey.counts();
      long allRows = 2 * counts.inodes() + counts.blocks() + counts.directories();
      new TableLoad(source.image(), loader, progress, allRows, counts.inodes()).run(rows, threads);
      writeQuotas(runner, tree.quotas().all());
      writeCounters(runner, tree);
      new TokenImport(source.image())
          .run(
              some ->
                  run(
                      runner,
                      transaction -> {
                        some.putInto(transaction);
                        return null;
                      }));
      return tree.leftOut();
    }
  }

  private void learnNames(TransactionRunner runner, Dictionary dictionary) throws IOException {
    List<String> names = List.copyOf(source.strings().all());
    for (int i = 0; i < names.size(); i += ROWS_IN_TRANSACTION) {
      List<String> some = names.subList(i, Math.min(names.size(), i + ROWS_IN_TRANSACTION));
      run(
          runner,
          transaction -> {
            dictionary.learn(transaction, some);
            return null;
          });
    }
  }

  private static void writeQuotas(TransactionRunner runner, Map<Long, QuotaCounts> used)
      throws IOException {
    List<Map.Entry<Long, QuotaCounts>> all = List.copyOf(used.entrySet());
    for (int i = 0; i < all.size(); i += ROWS_IN_TRANSACTION) {
      List<Map.Entry<Long, QuotaCounts>> some =
          all.subList(i, Math.min(all.size(), i + ROWS_IN_TRANSACTION));
      run(
          runner,
          transaction -> {
            some.forEach(
                entry ->
                    transaction.put(
                        NamespaceKeys.quotaUsage(entry.getKey()),
                        entry.getValue().toCounters().encode()));
            return null;
          });
    }
  }

  /** The next ids lie beyond all that the cluster has ever given out, as far as the image knows. */
  private void writeCounters(TransactionRunner runner, TreeImport tree) throws IOException {
    long lastInode =
        Math.max(InodeSectionPass.header(source.image()).getLastInodeId(), tree.highestInode());
    long lastBlock = Math.max(source.nameSystem().getLastAllocatedBlockId(), tree.highestBlock());
    run(
        runner,
        transaction -> {
          IdKind.INODE.skipTo(transaction, lastInode + 1);
          IdKind.BLOCK.skipTo(transaction, lastBlock + 1);
          LoadedBlocks.adopt(
              transaction,
              tree.missingBlocks(),
              tree.missingWithOneReplica(),
              source.nameSystem().getTransactionId() + TRANSACTION_MARGIN,
              source.highestStamp());
          return null;
        });
  }

  private static void run(TransactionRunner runner, Operation<Void, RuntimeException> operation)
      throws IOException {
    try {
      runner.submit(operation).get(TRANSACTION_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted");
    } catch (ExecutionException | TimeoutException e) {
      throw new IOException("The store could not be written", e);
    }
  }

  @Override
  public void close() throws IOException {
    remove(folder);
  }

  private static void remove(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      for (Path file : files.toList()) {
        Files.delete(file);
      }
    }
    Files.delete(folder);
  }
}
