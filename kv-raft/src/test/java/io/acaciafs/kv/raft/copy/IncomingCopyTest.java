package io.acaciafs.kv.raft.copy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.acaciafs.kv.raft.call.ChannelSecurity;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.CancellationException;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.ratis.thirdparty.io.grpc.Server;
import org.apache.ratis.thirdparty.io.grpc.netty.NettyServerBuilder;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class IncomingCopyTest {
  private static final long SEED = Long.getLong("acacia.seed", 1);
  private static final int ROUNDS = 6;
  private static final int TABLES = 4;
  private static final int LARGEST_BYTES = 3 << 20;

  @TempDir private Path scratch;
  private final Random random = new Random(SEED);
  private final List<Long> told = new ArrayList<>();
  private Path source;
  private Path served;
  private Path store;
  private Server server;

  @BeforeEach
  void serve() throws IOException {
    serve("first");
  }

  private void serve(String round) throws IOException {
    Path folder = Files.createDirectory(scratch.resolve(round));
    source = Files.createDirectory(folder.resolve("source"));
    store = Files.createDirectory(folder.resolve("store"));
    served = folder.resolve("copy");
    StoreCopy copy = new StoreCopy(served, this::copyTo, System::nanoTime);
    server =
        NettyServerBuilder.forPort(0)
            .addService(
                new CopyService(copy, () -> new MemberStanding(0, 0, new UUID(0, 0), 0))
                    .definition())
            .build()
            .start();
  }

  @AfterEach
  void end() throws InterruptedException {
    server.shutdownNow().awaitTermination(30, TimeUnit.SECONDS);
  }

  private void copyTo(Path folder) throws IOException {
    Files.createDirectory(folder);
    for (Path file : filesOf(source)) {
      Files.copy(file, folder.resolve(file.getFileName()));
    }
  }

  private static List<Path> filesOf(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.filter(Files::isRegularFile).sorted().toList();
    }
  }

  private byte[] bytes(int length) {
    byte[] bytes = new byte[length];
    random.nextBytes(bytes);
    return bytes;
  }

  private static String table(int number) {
    return String.format("%06d.sst", number);
  }

  private void fillSource() throws IOException {
    for (int i = 0; i < TABLES; i++) {
      Files.write(source.resolve(table(i)), bytes(random.nextInt(LARGEST_BYTES)));
    }
    for (String name : List.of("CURRENT", "MANIFEST-000007", "RAFT")) {
      Files.write(source.resolve(name), bytes(50));
    }
    Files.writeString(source.resolve(IncomingCopy.STORE_ID), "one store");
  }

  private long sourceBytes() throws IOException {
    long sum = 0;
    for (Path file : filesOf(source)) {
      sum += Files.size(file);
    }
    return sum;
  }

  private IncomingCopy incoming(long interruptedAt) {
    return new IncomingCopy(
        store,
        new CopyRate(0),
        (bytes, ofAll) -> {
          told.add(bytes);
          if (bytes >= interruptedAt) {
            throw new CancellationException("The process ends here");
          }
        });
  }

  private IncomingCopy fetch() throws IOException {
    IncomingCopy incoming = incoming(Long.MAX_VALUE);
    incoming.fetch("127.0.0.1:" + server.getPort(), ChannelSecurity.NONE);
    return incoming;
  }

  private void fetchUpTo(long interruptedAt) {
    assertThatThrownBy(
            () ->
                incoming(interruptedAt)
                    .fetch("127.0.0.1:" + server.getPort(), ChannelSecurity.NONE))
        .isInstanceOf(CancellationException.class);
  }

  private void assertInstalled(IncomingCopy incoming) throws IOException {
    assertThat(incoming.isComplete()).isTrue();
    incoming.install();
    assertThat(filesOf(store)).hasSize(filesOf(source).size());
    for (Path file : filesOf(source)) {
      assertThat(store.resolve(file.getFileName())).hasSameBinaryContentAs(file);
    }
    assertThat(incoming.folder()).doesNotExist();
  }

  @Test
  void theCopyIsRemovedAfterItsLastReader() throws Exception {
    fillSource();
    fetch();
    assertThat(served).doesNotExist();
    end();
    serve("second");
    fillSource();
    fetchUpTo(1);
    fetch();
    assertThat(served).as("the first reader may go on").isNotEmptyDirectory();
  }

  private long tableBytesIn(Path folder) throws IOException {
    long sum = 0;
    for (Path file : filesOf(folder)) {
      sum += file.getFileName().toString().contains(".sst") ? Files.size(file) : 0;
    }
    return sum;
  }

  @Test
  void anInterruptedCopyGoesOnAtTheByteToWhichItHadCome() throws Exception {
    for (int round = 0; round < ROUNDS; round++) {
      fillSource();
      fetchUpTo(random.nextLong(tableBytesIn(source)));
      Path incoming = incoming(0).folder();
      for (Path file : filesOf(incoming)) {
        if (file.toString().endsWith(".part")) { // the process ended in the middle of a write
          try (RandomAccessFile part = new RandomAccessFile(file.toFile(), "rw")) {
            part.setLength(random.nextLong(part.length() + 1));
          }
        }
      }
      long isThere = tableBytesIn(incoming);
      told.clear();
      IncomingCopy resumed = fetch();
      assertThat(resumed.fetchedBytes()).isEqualTo(sourceBytes() - isThere);
      assertThat(told).isSorted().endsWith(sourceBytes());
      assertInstalled(resumed);
      end();
      serve("round-" + round);
    }
  }

  /** Its length was on the disk, and its bytes were not. */
  @Test
  void whatALossOfPowerLeftIsFetchedAnew() throws Exception {
    Files.write(source.resolve(table(0)), bytes(LARGEST_BYTES));
    Files.writeString(source.resolve(IncomingCopy.STORE_ID), "one store");
    fetchUpTo(LARGEST_BYTES / 2);
    Path part = incoming(0).folder().resolve(table(0) + ".part");
    try (RandomAccessFile torn = new RandomAccessFile(part.toFile(), "rw")) {
      torn.seek(torn.length() - 512);
      torn.write(new byte[512]);
    }
    IncomingCopy resumed = fetch();
    assertThat(resumed.fetchedBytes()).isEqualTo(sourceBytes());
    assertInstalled(resumed);
  }

  @Test
  void whatIsOfAnotherStoreIsFetchedAnew() throws Exception {
    fillSource();
    fetchUpTo(tableBytesIn(source));
    Files.writeString(incoming(0).folder().resolve(IncomingCopy.STORE_ID), "another");
    IncomingCopy resumed = fetch();
    assertThat(resumed.fetchedBytes()).isEqualTo(sourceBytes());
    assertInstalled(resumed);
  }

  /** As two members have them that began with the same copy. */
  @Test
  void filesThatTheStoreHasAreNotFetched() throws Exception {
    fillSource();
    byte[] same = Files.readAllBytes(source.resolve(table(0)));
    Files.write(store.resolve(table(0)), same);
    Files.write(store.resolve(table(1)), bytes((int) Files.size(source.resolve(table(1)))));
    Files.write(store.resolve("CURRENT"), Files.readAllBytes(source.resolve("CURRENT")));
    Files.writeString(store.resolve("LOCK"), "");
    IncomingCopy incoming = fetch();
    assertThat(incoming.fetchedBytes()).isEqualTo(sourceBytes() - same.length);
    Files.delete(store.resolve("LOCK"));
    assertInstalled(incoming);
  }
}
