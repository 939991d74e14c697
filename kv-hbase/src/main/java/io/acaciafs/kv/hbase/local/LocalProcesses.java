package io.acaciafs.kv.hbase.local;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedDeque;

/**
 * The processes of one local HBase, ended in the opposite order. Used by one thread at a time, but
 * for the close, which any thread may do.
 */
final class LocalProcesses implements AutoCloseable {
  private final Path logs;
  private final Path configuration;
  private final String classPath;
  private final List<String> jvmOptions;
  private final Deque<ChildJvm> running = new ConcurrentLinkedDeque<>();
  private boolean closed;

  /**
   * @param jvmOptions of all of them
   */
  LocalProcesses(Path folder, Path classPathFile, List<String> jvmOptions) throws IOException {
    this.jvmOptions = jvmOptions;
    logs = Files.createDirectories(folder.resolve("log"));
    configuration = Files.createDirectories(folder.resolve("conf"));
    classPath = HBaseJvm.of(classPathFile).classPath(configuration);
  }

  Path configuration() {
    return configuration;
  }

  /** Starts a process that ends by itself. */
  ChildJvm run(String name, int heapMb, List<String> mainAndArgs) throws IOException {
    return ChildJvm.start(name, logs, classPath, options(heapMb), mainAndArgs);
  }

  /** Starts a process that runs until the close. */
  ChildJvm keep(String name, int heapMb, List<String> mainAndArgs) throws IOException {
    return keep(name, heapMb, List.of(), mainAndArgs);
  }

  /** The same, with further options of its JVM. */
  synchronized ChildJvm keep(
      String name, int heapMb, List<String> jvmOptions, List<String> mainAndArgs)
      throws IOException {
    if (closed) {
      throw new IOException("HBase was told to end");
    }
    List<String> all = options(heapMb);
    all.addAll(jvmOptions);
    ChildJvm process = ChildJvm.start(name, logs, classPath, all, mainAndArgs);
    running.push(process);
    return process;
  }

  /** Ends one with signal 9. */
  void kill(ChildJvm process) throws InterruptedException {
    process.kill();
    running.remove(process);
  }

  /** Ends one in order. */
  void stop(ChildJvm process) {
    process.close();
    running.remove(process);
  }

  /** Waits so long, or until the first one ends. */
  void await(long millis) throws IOException, InterruptedException {
    ChildJvm last = running.peek();
    if (last == null) {
      throw new IOException("HBase was told to end");
    }
    last.await(millis);
    requireAlive();
  }

  /**
   * Checks that all of them run.
   *
   * @throws IOException when one has ended, with the end of its log
   */
  void requireAlive() throws IOException {
    for (ChildJvm process : running) {
      process.requireAlive();
    }
  }

  private List<String> options(int heapMb) {
    List<String> options = HBaseJvm.options(heapMb);
    options.addAll(jvmOptions);
    return options;
  }

  @Override
  public synchronized void close() {
    closed = true;
    running.forEach(ChildJvm::close);
    running.clear();
  }
}
