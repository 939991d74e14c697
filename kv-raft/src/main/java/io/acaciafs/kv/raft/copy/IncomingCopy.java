package io.acaciafs.kv.raft.copy;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.acaciafs.kv.StoreException;
import io.acaciafs.kv.raft.call.ChannelSecurity;
import io.acaciafs.kv.raft.call.MemberChannel;
import io.acaciafs.kv.rocksdb.log.local.LogSegment;
import io.acaciafs.kv.rocksdb.log.local.SmallFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.ratis.thirdparty.io.grpc.CallOptions;
import org.apache.ratis.thirdparty.io.grpc.ManagedChannel;
import org.apache.ratis.thirdparty.io.grpc.Status;
import org.apache.ratis.thirdparty.io.grpc.StatusRuntimeException;
import org.apache.ratis.thirdparty.io.grpc.stub.ClientCalls;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Fetches another member's copy, and puts it in the place of this member's store. A table file
 * never changes under its name; so what an earlier attempt has fetched of one is not fetched again,
 * and one that the store has is linked, as when both members began with the same copy. In both
 * cases the other member says by a digest that the bytes are the same. For one thread.
 */
public final class IncomingCopy {
  private static final Logger LOG = LoggerFactory.getLogger(IncomingCopy.class);
  private static final String INCOMING = "raft-incoming";

  /** Lists the files when all are there: from then on the old store is no more. */
  private static final String COMPLETE = "COMPLETE";

  /** A file of the copy that names the database whose table files these are. */
  public static final String STORE_ID = "STORE-ID";

  private static final String TABLE = ".sst";

  /** Ends the name of a file that is not whole. */
  private static final String PART = ".part";

  /** To read a byte costs the disk so much less than to write one that was fetched. */
  private static final int CHEAPER_READ = 4;

  private static final long CALL_SECONDS = 60;
  private static final long STANDING_SECONDS = 15;

  private final Path store;
  private final Path incoming;
  private final CopyRate rate;
  private final CopyProgress progress;
  private long bytes;
  private long allBytes;
  private long fetchedBytes;

  /**
   * @param store the folder of this member's store
   */
  public IncomingCopy(Path store, CopyRate rate) {
    this(store, rate, (bytes, ofAll) -> {});
  }

  /**
   * @param store the folder of this member's store
   */
  public IncomingCopy(Path store, CopyRate rate, CopyProgress progress) {
    this.store = store;
    this.incoming = store.resolve(INCOMING);
    this.rate = rate;
    this.progress = progress;
  }

  /**
   * Fetches all files of a member's store.
   *
   * @param address {@code host:port} of that member
   * @throws IOException when it cannot be reached, or its copy is gone; what was fetched stays
   */
  public void fetch(String address, ChannelSecurity security) throws IOException {
    fetch(address, security, CopyService.LIST);
  }

  /** The same of a copy that is made now. */
  public void fetchNew(String address, ChannelSecurity security) throws IOException {
    fetch(address, security, CopyService.LIST_NEW);
  }

  /**
   * Asks a member what it is in its group.
   *
   * @throws IOException when it gives no answer within some seconds
   */
  public static MemberStanding standing(String address, ChannelSecurity security)
      throws IOException {
    ManagedChannel channel = MemberChannel.to(address, security);
    try {
      byte[] answer = ask(channel, CopyService.STANDING, STANDING_SECONDS);
      return MemberStanding.decode(new String(answer, UTF_8));
    } catch (StatusRuntimeException e) {
      throw new IOException(
          "The member at " + address + " does not say whether it leads: " + e.getStatus(), e);
    } finally {
      channel.shutdownNow();
    }
  }

  private void fetch(String address, ChannelSecurity security, String list) throws IOException {
    ManagedChannel channel = MemberChannel.to(address, security);
    try {
      fetch(channel, list);
    } catch (StatusRuntimeException e) {
      throw new IOException(
          "The member at " + address + " gave no copy of its store: " + e.getStatus(), e);
    } finally {
      channel.shutdownNow();
    }
  }

  private void fetch(ManagedChannel channel, String list) throws IOException {
    Files.createDirectories(incoming);
    Map<String, Long> files = new LinkedHashMap<>();
    for (String line : new String(ask(channel, list), UTF_8).lines().toList()) {
      int blank = line.indexOf(' ');
      files.put(line.substring(blank + 1), Long.parseLong(line.substring(0, blank)));
    }
    keepWhatIsOf(ask(channel, CopyService.READ + "0 " + STORE_ID), files);
    bytes = 0;
    fetchedBytes = 0;
    allBytes = files.values().stream().mapToLong(Long::longValue).sum();
    for (Map.Entry<String, Long> file : files.entrySet()) {
      if (!isHere(channel, file.getKey(), file.getValue())) {
        fetch(channel, file.getKey(), file.getValue());
      }
    }
    LogSegment.syncFolder(incoming);
    SmallFile.replace(incoming, COMPLETE, String.join("\n", files.keySet()));
    LOG.info("The copy is here bytes={} fetched={}", allBytes, fetchedBytes);
    tellThatAllIsHere(channel);
  }

  /** The other one keeps its copy for a while where it does not hear it. */
  private static void tellThatAllIsHere(ManagedChannel channel) {
    try {
      ask(channel, CopyService.DONE, STANDING_SECONDS);
    } catch (StatusRuntimeException e) {
      LOG.debug("The member whose copy is here does not take note of it", e);
    }
  }

  private static byte[] ask(ManagedChannel channel, String request) {
    return ask(channel, request, CALL_SECONDS);
  }

  private static byte[] ask(ManagedChannel channel, String request, long limitSeconds) {
    return ClientCalls.blockingUnaryCall(
        channel,
        CopyService.SERVICE.method(),
        CallOptions.DEFAULT.withDeadlineAfter(limitSeconds, TimeUnit.SECONDS),
        request.getBytes(UTF_8));
  }

  /** Removes what is of another store, or changes under its name. */
  private void keepWhatIsOf(byte[] identity, Map<String, Long> files) throws IOException {
    Path known = incoming.resolve(STORE_ID);
    boolean isSame = Files.exists(known) && Arrays.equals(Files.readAllBytes(known), identity);
    for (Path file : filesOf(incoming)) {
      String name = file.getFileName().toString();
      String whole = name.endsWith(PART) ? name.substring(0, name.length() - PART.length()) : name;
      if (!isSame || !whole.endsWith(TABLE) || !files.containsKey(whole)) {
        Files.delete(file);
      }
    }
    Files.write(known, identity); // before files that are of it
  }

  /** Whether a table file was fetched before, or is the store's own. */
  private boolean isHere(ManagedChannel channel, String name, long length) throws IOException {
    if (!name.endsWith(TABLE)) {
      return false;
    }
    Path file = incoming.resolve(name);
    if (!Files.exists(file)) {
      linkOwn(store.resolve(name), file, length);
    }
    if (!Files.exists(file)) {
      return false;
    }
    if (Files.size(file) != length || !isSame(channel, name, file, length)) {
      Files.delete(file);
      return false;
    }
    tell(length);
    return true;
  }

  /** The store may remove its file at any time; what is linked stays. */
  private static void linkOwn(Path own, Path file, long length) {
    try {
      if (Files.exists(own) && Files.size(own) == length) {
        Files.createLink(file, own);
      }
    } catch (IOException | UnsupportedOperationException e) {
      LOG.debug("The store's own file is not used file={}", own, e);
    }
  }

  /** Whether a file begins with the same bytes as one of the copy. */
  private boolean isSame(ManagedChannel channel, String name, Path file, long length)
      throws IOException {
    byte[] wanted;
    try {
      wanted = ask(channel, CopyService.DIGEST + length + " " + name);
    } catch (StatusRuntimeException e) {
      if (e.getStatus().getCode() == Status.Code.FAILED_PRECONDITION) {
        return false; // an earlier version, which does not say
      }
      throw e;
    }
    boolean isSame = Arrays.equals(wanted, FileDigest.of(file, length));
    rate.fetched(length / CHEAPER_READ);
    return isSame;
  }

  private void fetch(ManagedChannel channel, String name, long length) throws IOException {
    Path part = incoming.resolve(name + PART);
    if (Files.exists(part)) {
      long there = Files.size(part);
      if (there > length || !isSame(channel, name, part, there)) {
        Files.delete(part); // a loss of power may have left anything
      }
    }
    try (FileChannel target =
        FileChannel.open(part, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
      long offset = target.size();
      tell(offset);
      while (offset < length) {
        byte[] piece = ask(channel, CopyService.READ + offset + " " + name);
        if (piece.length == 0) {
          throw new IOException("The file " + name + " ends at " + offset + ", not at " + length);
        }
        ByteBuffer buffer = ByteBuffer.wrap(piece);
        while (buffer.hasRemaining()) {
          offset += target.write(buffer, offset);
        }
        fetchedBytes += piece.length;
        tell(piece.length);
        rate.fetched(piece.length);
      }
      target.force(true);
    }
    Files.move(part, incoming.resolve(name), StandardCopyOption.ATOMIC_MOVE);
  }

  private void tell(long more) {
    bytes += more;
    progress.copied(bytes, allBytes);
  }

  /** How much came over the network for the copy that was fetched last. */
  public long fetchedBytes() {
    return fetchedBytes;
  }

  /** Where the files are until they are put in place. */
  public Path folder() {
    return incoming;
  }

  /** Whether a copy is there as a whole. */
  public boolean isComplete() {
    return Files.exists(incoming.resolve(COMPLETE));
  }

  /**
   * Puts a complete copy in the place of the store, which is closed. After a crash it goes on where
   * it was.
   */
  public void install() throws IOException {
    if (!isComplete()) {
      throw new StoreException("There is no copy to install in " + store);
    }
    List<String> names = Files.readAllLines(incoming.resolve(COMPLETE));
    for (String name : names) {
      Path file = incoming.resolve(name);
      if (Files.exists(file)) {
        Files.move(file, store.resolve(name), StandardCopyOption.ATOMIC_MOVE);
      }
    }
    for (Path file : filesOf(store)) {
      String name = file.getFileName().toString();
      if (!names.contains(name) && !name.equals("LOCK")) {
        Files.delete(file);
      }
    }
    LogSegment.syncFolder(store);
    for (Path file : filesOf(incoming)) {
      Files.delete(file);
    }
    Files.delete(incoming);
    LogSegment.syncFolder(store);
  }

  private static List<Path> filesOf(Path folder) throws IOException {
    try (Stream<Path> content = Files.list(folder)) {
      return content.filter(Files::isRegularFile).toList();
    }
  }
}
