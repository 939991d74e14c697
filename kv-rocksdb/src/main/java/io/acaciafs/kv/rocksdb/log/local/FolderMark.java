package io.acaciafs.kv.rocksdb.log.local;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.acaciafs.kv.StoreException;
import io.acaciafs.kv.rocksdb.common.Damage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * What a folder holds at least, in the file {@code MARK}. The store writes it once that is durable,
 * and before it removes files that it no longer needs. So the next start notices files that were
 * removed, cut off, or replaced by older copies.
 *
 * @param firstNeeded records of the log from this one on may not be in RocksDB's files
 * @param lastDurable records up to this one were durable
 * @param newestSegment the log had come to the segment that begins with this record; 0: to none,
 *     and what it holds is known by {@code lastDurable}
 * @param newestBytes least length of that segment, in bytes
 * @param manifest of RocksDB
 */
public record FolderMark(
    long firstNeeded, long lastDurable, long newestSegment, long newestBytes, Manifest manifest) {
  public static final String FILE = "MARK";

  private static final String FIRST_NEEDED = "firstNeeded";
  private static final String LAST_DURABLE = "lastDurable";
  private static final String NEWEST_SEGMENT = "newestSegment";
  private static final String NEWEST_BYTES = "newestBytes";
  private static final String MANIFEST = "manifest";
  private static final String MANIFEST_BYTES = "manifestBytes";
  private static final String CHECKSUM = "crc32c=";

  /** The mark of a folder whose log is empty because RocksDB's files hold all its rows. */
  boolean isOfAnOrderlyEnd() {
    return newestSegment == 0 && firstNeeded == lastDurable + 1;
  }

  /**
   * The mark of a folder; null where there is none, as older versions made none.
   *
   * @throws StoreException when it is damaged
   */
  public static @Nullable FolderMark read(Path folder) throws IOException {
    String text;
    try {
      text = new String(Files.readAllBytes(folder.resolve(FILE)), UTF_8);
    } catch (NoSuchFileException e) {
      return null;
    }
    int end = text.indexOf(CHECKSUM);
    if (end < 0 || !text.substring(end).equals(checksum(text.substring(0, end)))) {
      throw Damage.of(folder, "its file " + FILE + " is not as it was written");
    }
    Map<String, String> values = new HashMap<>();
    for (String line : text.substring(0, end).lines().toList()) {
      int equals = line.indexOf('=');
      values.put(line.substring(0, equals), line.substring(equals + 1));
    }
    return new FolderMark(
        Long.parseLong(values.get(FIRST_NEEDED)),
        Long.parseLong(values.get(LAST_DURABLE)),
        Long.parseLong(values.get(NEWEST_SEGMENT)),
        Long.parseLong(values.get(NEWEST_BYTES)),
        new Manifest(
            values.getOrDefault(MANIFEST, ""), Long.parseLong(values.get(MANIFEST_BYTES))));
  }

  /** Writes it, durably: it is there whole, or the one before it. */
  public void write(Path folder) throws IOException {
    String text = text();
    SmallFile.replace(folder, FILE, text + checksum(text));
  }

  private String text() {
    return String.join(
        "\n",
        List.of(
            FIRST_NEEDED + "=" + firstNeeded,
            LAST_DURABLE + "=" + lastDurable,
            NEWEST_SEGMENT + "=" + newestSegment,
            NEWEST_BYTES + "=" + newestBytes,
            MANIFEST + "=" + manifest.name(),
            MANIFEST_BYTES + "=" + manifest.bytes(),
            ""));
  }

  private static String checksum(String text) {
    CRC32C crc = new CRC32C();
    crc.update(text.getBytes(UTF_8));
    return String.format("%s%08x%n", CHECKSUM, crc.getValue());
  }

  /**
   * @throws StoreException when RocksDB's list of files is older than it was
   */
  public void requireManifest(Path folder) throws IOException {
    Manifest found;
    try {
      found = Manifest.in(folder);
    } catch (NoSuchFileException e) {
      throw Damage.of(folder, "its file " + Path.of(e.getFile()).getFileName() + " is missing");
    }
    if (found.name().isEmpty() && !manifest.name().isEmpty()) {
      String how = Manifest.isNamedIn(folder) ? "not as it was written" : "missing";
      throw Damage.of(folder, "its file CURRENT is " + how);
    }
    if (found.lacksSomethingOf(manifest)) {
      throw Damage.of(
          folder,
          "RocksDB's list of files is "
              + found.name()
              + " of "
              + size(found)
              + ", and was "
              + manifest.name()
              + " of "
              + size(manifest)
              + " or more; files that hold rows may be missing from it");
    }
  }

  private static String size(Manifest manifest) {
    return manifest.bytes() + " bytes";
  }
}
