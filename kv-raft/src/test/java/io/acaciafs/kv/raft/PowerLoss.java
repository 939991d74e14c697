package io.acaciafs.kv.raft;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.thirdparty.com.google.protobuf.CodedInputStream;

/**
 * What a loss of power leaves of a member: its files without what is in memory alone, and of the
 * log's last segment what Ratis had synced, with all, nothing or any sectors of the rest. All other
 * files are synced before anybody relies on them, so they are there as they are.
 *
 * <p>The member is cut off from the others before, so that it promises nothing any more.
 */
final class PowerLoss {
  private static final String OPEN = "log_inprogress_";
  private static final int HEADER_BYTES = 8;
  private static final int SECTOR_BYTES = 512;
  private static final int MOST_ATTEMPTS = 100;

  private PowerLoss() {}

  /**
   * @param target is not there
   */
  static void leave(Path folder, RaftServer server, Path target, Random random) throws IOException {
    for (int i = 1; ; i++) {
      try {
        copy(folder, target);
        break;
      } catch (NoSuchFileException e) { // the store has just replaced it
        if (i == MOST_ATTEMPTS) {
          throw e;
        }
        remove(target);
      }
    }
    // after the copy: its marks rest on entries that are synced
    long synced =
        server.getDivision(server.getGroupIds().iterator().next()).getRaftLog().getFlushIndex();
    for (Path file : files(target)) {
      if (file.getFileName().toString().startsWith(OPEN)) {
        tear(file, synced, random);
      }
    }
  }

  /** Marks first: what they say is in the other files by now, and stays there. */
  private static void copy(Path folder, Path target) throws IOException {
    List<Path> all = new ArrayList<>(files(folder));
    all.sort(Comparator.comparing(file -> !file.endsWith("RAFT") && !file.endsWith("MARK")));
    for (Path file : all) {
      String name = file.getFileName().toString();
      if (isOfStart(name)) {
        continue;
      }
      Path copy = target.resolve(folder.relativize(file));
      Files.createDirectories(copy.getParent());
      if (name.endsWith(".sst")) {
        Files.createLink(copy, file);
      } else {
        Files.copy(file, copy, StandardCopyOption.REPLACE_EXISTING);
      }
    }
  }

  /** What is not whole yet, or begins anew with each start. */
  private static boolean isOfStart(String name) {
    return name.equals("LOCK")
        || name.equals("in_use.lock")
        || name.startsWith("LOG")
        || name.endsWith(".tmp")
        || name.endsWith(".part")
        || name.endsWith(".dbtmp");
  }

  private static void tear(Path file, long synced, Random random) throws IOException {
    byte[] bytes = Files.readAllBytes(file);
    long first = Long.parseLong(file.getFileName().toString().substring(OPEN.length()));
    int from = endOf(bytes, first, synced);
    int kept = random.nextInt(4); // of four sectors; 0: none, 3: all
    int to = from;
    while (to < bytes.length) {
      int next = Math.min(bytes.length, (to / SECTOR_BYTES + 1) * SECTOR_BYTES);
      if (kept < 3 && random.nextInt(3) >= kept) {
        Arrays.fill(bytes, to, next, (byte) 0);
      }
      to = next;
    }
    Files.write(file, bytes);
  }

  /**
   * Where the entries end that were synced, but for those that a new leader had taken back since.
   */
  private static int endOf(byte[] bytes, long first, long synced) throws IOException {
    int end = Math.min(HEADER_BYTES, bytes.length);
    for (long index = first; index <= synced && end < bytes.length && bytes[end] != 0; index++) {
      CodedInputStream in = CodedInputStream.newInstance(bytes, end, bytes.length - end);
      int length = in.readRawVarint32();
      end += in.getTotalBytesRead() + length + Integer.BYTES;
    }
    return end;
  }

  private static List<Path> files(Path folder) throws IOException {
    try (Stream<Path> all = Files.walk(folder)) {
      return all.filter(Files::isRegularFile).toList();
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
  }

  /** Removes a folder with all that it holds. */
  static void remove(Path folder) throws IOException {
    if (Files.exists(folder)) {
      try (Stream<Path> all = Files.walk(folder)) {
        for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
          Files.delete(path);
        }
      }
    }
  }
}
