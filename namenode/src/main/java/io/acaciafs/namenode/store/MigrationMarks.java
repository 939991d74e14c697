package io.acaciafs.namenode.store;

import io.acaciafs.kv.Table;
import io.acaciafs.kv.copy.CopyMarks;
import io.acaciafs.kv.copy.RowDigest;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.Objects;
import java.util.Properties;
import org.jspecify.annotations.Nullable;

/**
 * How far a migration is, in a file of the folder that it fills: where it comes from, the key up to
 * which each table is copied, and whether all was copied and compared. Safe for use by many
 * threads.
 */
final class MigrationMarks implements CopyMarks {
  private static final String FROM = "from";
  private static final String COMPARED = "compared";
  private static final String TABLE = "table.";
  private static final HexFormat HEX = HexFormat.of();

  private final Path path;
  private final Properties marks;

  private MigrationMarks(Path path, Properties marks) {
    this.path = path;
    this.marks = marks;
  }

  /** Those of a migration that begins. */
  static MigrationMarks begin(Path path, String from) throws IOException {
    MigrationMarks begun = new MigrationMarks(path, new Properties());
    begun.put(FROM, from);
    return begun;
  }

  /** Those of a migration that was cut off; null: it had not left any. */
  static @Nullable MigrationMarks read(Path path) throws IOException {
    if (!Files.exists(path)) {
      return null;
    }
    Properties marks = new Properties();
    try (var in = Files.newInputStream(path)) {
      marks.load(in);
    }
    return new MigrationMarks(path, marks);
  }

  synchronized @Nullable String from() {
    return marks.getProperty(FROM);
  }

  synchronized boolean isCompared() {
    return marks.getProperty(COMPARED) != null;
  }

  /** Both stores have the same rows. */
  void compared(RowDigest digest) throws IOException {
    put(COMPARED, digest.rows() + " " + digest.first() + " " + digest.second());
  }

  /** Of the rows that were compared. */
  synchronized RowDigest digest() {
    String[] numbers = marks.getProperty(COMPARED).split(" ", -1);
    return new RowDigest(
        Long.parseLong(numbers[0]), Long.parseLong(numbers[1]), Long.parseLong(numbers[2]));
  }

  /** Whether any rows are copied. */
  synchronized boolean isEmpty() {
    return marks.stringPropertyNames().stream().noneMatch(name -> name.startsWith(TABLE));
  }

  @Override
  public synchronized byte @Nullable [] reached(Table table) {
    String key = marks.getProperty(TABLE + table);
    return key == null ? null : HEX.parseHex(key);
  }

  @Override
  public void reach(Table table, byte[] key) throws IOException {
    put(TABLE + table, HEX.formatHex(key));
  }

  private synchronized void put(String name, String value) throws IOException {
    marks.setProperty(name, value);
    Path part = path.resolveSibling(path.getFileName() + ".part");
    try (OutputStream out = Files.newOutputStream(part)) {
      marks.store(out, null);
    }
    IdentityFile.putInPlace(part, path);
  }

  /** The next migration begins anew, or there is none. */
  void remove() throws IOException {
    Files.deleteIfExists(path);
    IdentityFile.syncFolder(Objects.requireNonNull(path.getParent(), "a folder has it"));
  }
}
