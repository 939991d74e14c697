package io.acaciafs.fsimage;

import io.acaciafs.fsimage.format.ImageProgress;
import io.acaciafs.kv.Key;
import io.acaciafs.kv.KeyRange;
import io.acaciafs.kv.Row;
import io.acaciafs.kv.Scan;
import io.acaciafs.kv.memory.MemoryStore;
import io.acaciafs.kv.run.TransactionRunner;
import io.acaciafs.namespace.record.Inode;
import io.acaciafs.namespace.record.InodeLocation;
import io.acaciafs.namespace.record.NamespaceKeys;
import io.acaciafs.namespace.record.codec.Dictionary;
import io.acaciafs.namespace.record.codec.InodeCodec;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import org.apache.hadoop.hdfs.server.common.HdfsServerConstants;
import org.apache.hadoop.hdfs.server.namenode.FSImageFormatProtobuf.SectionName;
import org.apache.hadoop.hdfs.server.namenode.FSImageUtil;
import org.apache.hadoop.hdfs.server.namenode.FsImageProto.FileSummary;

/**
 * Any bytes as an image to import. Target of a coverage-guided fuzzer (docs/fuzzing.md); {@link
 * FuzzedImageTest} replays its corpus.
 *
 * <p>What has to hold: an image is imported, and then every inode that the report counts is in the
 * store and can be found, or it is refused by an {@link IOException} with a sentence. An image that
 * the survey refuses has not touched the store. No files are left behind.
 *
 * <p>The first byte of an input says what the rest is: 0, the whole file; else pieces of sections,
 * each with a byte for the section and one for its length, which get a summary that fits.
 */
public final class ImageFuzzer {
  private static final int UNIT_BYTES = 64 << 10;
  private static final List<SectionName> SECTIONS =
      List.of(
          SectionName.NS_INFO,
          SectionName.STRING_TABLE,
          SectionName.INODE,
          SectionName.INODE_DIR,
          SectionName.INODE_REFERENCE,
          SectionName.SNAPSHOT,
          SectionName.SECRET_MANAGER,
          SectionName.CACHE_MANAGER,
          SectionName.ERASURE_CODING);

  private static final Path FOLDER = folder();

  /** Transactions meet no conflicts here, so that nobody tries anything again. */
  private static final ScheduledExecutorService RETRIES =
      Executors.newSingleThreadScheduledExecutor(
          task -> {
            Thread thread = new Thread(task, "image-fuzzer");
            thread.setDaemon(true);
            return thread;
          });

  private ImageFuzzer() {}

  private static Path folder() {
    try {
      Path folder = Files.createTempDirectory("image-fuzzer");
      folder.toFile().deleteOnExit();
      return folder;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Called by the fuzzer. */
  public static void fuzzerTestOneInput(byte[] input) throws IOException {
    if (input.length == 0) {
      return;
    }
    byte[] rest = Arrays.copyOfRange(input, 1, input.length);
    Path image = FOLDER.resolve("fsimage");
    Path temporary = FOLDER.resolve("temporary");
    Files.write(image, input[0] == 0 ? rest : image(rest));
    MemoryStore store = new MemoryStore();
    try (ImageImport source =
        ImageImport.open(image, temporary, 1, false, ImageProgress.NONE, UNIT_BYTES)) {
      ImageReport report = source.survey(ImageProgress.NONE);
      TransactionRunner runner = new TransactionRunner(store, RETRIES, new Random(1));
      long leftOut = source.load(runner, new MemoryLoader(store), ImageProgress.NONE);
      check(store, report.counts().inodes() - leftOut);
    } catch (IOException e) {
      require(e.getMessage() != null && !e.getMessage().isBlank(), "an error has a sentence");
    } finally {
      Files.delete(image);
    }
    require(!Files.exists(temporary), "no files are left behind");
  }

  /** All sections that the pieces name, and what says where they are. */
  private static byte[] image(byte[] pieces) throws IOException {
    Map<SectionName, ByteArrayOutputStream> sections = new EnumMap<>(SectionName.class);
    for (int at = 0; at + 1 < pieces.length; ) {
      SectionName name = SECTIONS.get((pieces[at] & 0xff) % SECTIONS.size());
      int end = Math.min(pieces.length, at + 2 + (pieces[at + 1] & 0xff));
      sections
          .computeIfAbsent(name, none -> new ByteArrayOutputStream())
          .write(pieces, at + 2, end - at - 2);
      at = end;
    }
    FileSummary.Builder summary =
        FileSummary.newBuilder()
            .setOndiskVersion(FSImageUtil.FILE_VERSION)
            .setLayoutVersion(HdfsServerConstants.NAMENODE_LAYOUT_VERSION);
    ByteArrayOutputStream file = new ByteArrayOutputStream();
    file.writeBytes(FSImageUtil.MAGIC_HEADER);
    for (Map.Entry<SectionName, ByteArrayOutputStream> section : sections.entrySet()) {
      summary.addSections(
          FileSummary.Section.newBuilder()
              .setName(section.getKey().name())
              .setOffset(file.size())
              .setLength(section.getValue().size()));
      file.writeBytes(section.getValue().toByteArray());
    }
    int start = file.size();
    summary.build().writeDelimitedTo(file);
    int length = file.size() - start;
    file.writeBytes(new byte[] {0, 0, (byte) (length >> 8), (byte) length});
    return file.toByteArray();
  }

  /** Every inode is there, in the place that the index says. */
  private static void check(MemoryStore store, long inodes) {
    InodeCodec codec = InodeCodec.forReading(store, new Dictionary());
    long found = 0;
    try (Scan scan = store.scan(KeyRange.ofTable(NamespaceKeys.ENTRIES))) {
      while (scan.hasNext()) {
        Row row = scan.next();
        if (!NamespaceKeys.isEntry(row.key())) {
          continue;
        }
        found++;
        Inode inode = codec.decode(row.value());
        if (inode.id() != TestImage.ROOT) {
          Key index = NamespaceKeys.inode(inode.id());
          InodeLocation location = InodeLocation.decode(store.get(index));
          require(
              location.directory().equals(NamespaceKeys.directoryOf(row.key())),
              "an inode is where its index says");
        }
      }
    }
    require(found == inodes, "all inodes are there: " + found + " of " + inodes);
  }

  private static void require(boolean condition, String rule) {
    if (!condition) {
      throw new AssertionError("Broken: " + rule);
    }
  }
}
