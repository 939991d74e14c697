package io.acaciafs.kv.raft.log;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.acaciafs.kv.StoreException;
import io.acaciafs.kv.rocksdb.log.local.SmallFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.CRC32C;

/**
 * Up to which entry of Ratis's log the files of a folder hold all rows, in the file {@code RAFT}: a
 * line of position, term and index, and a checksum. They may hold more; to apply an entry again
 * does no harm.
 *
 * @param position of the last batch
 * @param term of the entry that ended it
 * @param index of that entry; -1: there was none yet
 */
public record AppliedMark(long position, long term, long index) {
  public static final String FILE = "RAFT";
  public static final AppliedMark NONE = new AppliedMark(0, 0, -1);

  /** Whether the folder is a member's. */
  public static boolean isIn(Path folder) {
    return Files.exists(folder.resolve(FILE));
  }

  /**
   * The mark of a folder.
   *
   * @throws StoreException when it is damaged
   */
  public static AppliedMark read(Path folder) throws IOException {
    String[] words = Files.readString(folder.resolve(FILE)).strip().split(" ");
    if (words.length != 4 || !words[3].equals(checksum(words[0], words[1], words[2]))) {
      throw new StoreException(
          "The file "
              + folder.resolve(FILE)
              + " is not as it was written. Empty the folder, and run 'acacia bootstrap', see docs/ha.md");
    }
    return new AppliedMark(
        Long.parseLong(words[0]), Long.parseLong(words[1]), Long.parseLong(words[2]));
  }

  /** Writes it, durably: it is there whole, or the one before it. */
  public void write(Path folder) throws IOException {
    String values = position + " " + term + " " + index;
    String text = values + " " + checksum(values.split(" ")) + System.lineSeparator();
    SmallFile.replace(folder, FILE, text);
  }

  private static String checksum(String... values) {
    CRC32C crc = new CRC32C();
    crc.update(String.join(" ", values).getBytes(UTF_8));
    return String.format("%08x", crc.getValue());
  }
}
