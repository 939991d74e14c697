package io.acaciafs.kv.testkit.disk;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * What processes did to the files of one folder, recorded by {@code record-disk.c}, which a C
 * compiler makes a library of that they load first.
 */
public final class DiskTrace {
  private static final long LONGEST_RUN_S = 120;
  private static final int HEADER_BYTES = 33;

  /**
   * One thing that was done.
   *
   * @param type as record-disk.c has it
   */
  public record Op(char type, long inode, long a, long b, byte[] one, byte[] two) {
    /** In the trace. */
    public long bytes() {
      return HEADER_BYTES + one.length + two.length;
    }

    public String path() {
      return new String(one, UTF_8);
    }

    public String target() {
      return new String(two, UTF_8);
    }
  }

  private final Path library;
  private final Path folder;
  private final Path trace;

  private DiskTrace(Path library, Path folder, Path trace) {
    this.library = library;
    this.folder = folder;
    this.trace = trace;
  }

  /** Whether this system has a compiler and allows tracing. */
  public static boolean isPossible() {
    return PreloadedLibrary.isPossible();
  }

  /**
   * @param scratch for the library and the trace
   * @param folder to trace
   */
  public static DiskTrace of(Path scratch, Path folder) throws IOException, InterruptedException {
    Path library = PreloadedLibrary.compile("record-disk", scratch);
    return new DiskTrace(library, folder.toRealPath(), scratch.resolve("trace"));
  }

  /**
   * Runs a main class to its end, which has to be a success.
   *
   * @param failure as DISK_FAIL of record-disk.c; empty: none
   */
  public void run(Class<?> main, String failure, List<String> arguments) throws Exception {
    List<String> all = new ArrayList<>(List.of(folder.toString()));
    all.addAll(arguments);
    ProcessBuilder builder = command(List.of("-Xmx512m"), main.getName(), all).inheritIO();
    if (!failure.isEmpty()) {
      builder.environment().put("DISK_FAIL", failure);
    }
    Process process = builder.start();
    if (!process.waitFor(LONGEST_RUN_S, TimeUnit.SECONDS)) {
      process.destroyForcibly();
      throw new IOException("The recorded process does not end");
    }
    if (process.exitValue() != 0) {
      throw new IOException("The recorded process failed: " + process.exitValue());
    }
  }

  /**
   * A JVM on the test's class path, recorded once it is started. One at a time.
   *
   * @param options of the JVM
   */
  public ProcessBuilder command(List<String> options, String main, List<String> arguments) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(options);
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), main));
    command.addAll(arguments);
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.environment().put("LD_PRELOAD", library.toString());
    builder.environment().put("DISK_FOLDER", folder.toString());
    builder.environment().put("DISK_TRACE", trace.toString());
    return builder;
  }

  /** The length of the trace; a moment between operations or within one. */
  public long bytes() throws IOException {
    return Files.exists(trace) ? Files.size(trace) : 0;
  }

  /** All that was recorded so far. */
  public List<Op> ops() throws IOException {
    if (!Files.exists(trace)) {
      return List.of();
    }
    ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(trace)).order(ByteOrder.LITTLE_ENDIAN);
    List<Op> ops = new ArrayList<>();
    while (bytes.hasRemaining()) {
      char type = (char) bytes.get();
      long inode = bytes.getLong();
      long a = bytes.getLong();
      long b = bytes.getLong();
      byte[] one = new byte[bytes.getInt()];
      byte[] two = new byte[bytes.getInt()];
      bytes.get(one).get(two);
      ops.add(new Op(type, inode, a, b, one, two));
    }
    return ops;
  }
}
