package io.acaciafs.bench.compare;

import java.io.File;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/**
 * A JVM of its own with this one's class path, its output in a file. It ends with {@link #close},
 * or with this JVM at the latest. For one thread.
 */
public final class JavaProgram implements AutoCloseable {
  private static final Duration END_LIMIT = Duration.ofSeconds(30);
  private static final int TAIL_LINES = 20;

  private final Process process;
  private final Path output;
  private final Thread reaper;

  private JavaProgram(Process process, Path output) {
    this.process = process;
    this.output = output;
    reaper = new Thread(process::destroyForcibly, "end-" + process.pid());
    Runtime.getRuntime().addShutdownHook(reaper);
  }

  /**
   * Starts one.
   *
   * @param conf stands before every other folder on the class path, and behind the jars that lead
   *     it: the JVM shares the classes of these
   */
  public static JavaProgram start(
      Path conf, List<String> options, String mainClass, List<String> arguments, Path output)
      throws IOException {
    return start(List.of(), conf, options, mainClass, arguments, output);
  }

  /** The same behind another command, which becomes the JVM in the end. */
  static JavaProgram start(
      List<String> launcher,
      Path conf,
      List<String> options,
      String mainClass,
      List<String> arguments,
      Path output)
      throws IOException {
    List<String> command = new ArrayList<>(launcher);
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(sharedClasses());
    command.addAll(options);
    command.add("-cp");
    command.add(classPath(conf));
    command.add(mainClass);
    command.addAll(arguments);
    return new JavaProgram(
        new ProcessBuilder(command)
            .directory(Objects.requireNonNull(output.getParent(), "it is in a folder").toFile())
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start(),
        output);
  }

  /** Options for a JVM with the same class path to share the classes that this one shares. */
  public static List<String> sharedClasses() {
    return ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
        .filter(option -> option.startsWith("-XX:SharedArchiveFile="))
        .toList();
  }

  /**
   * This JVM's, as whole paths, since the other starts in another folder.
   *
   * @param conf stands where {@link #start} has it
   */
  public static String classPath(Path conf) {
    List<Path> entries = new ArrayList<>();
    for (String entry : System.getProperty("java.class.path").split(File.pathSeparator)) {
      entries.add(Path.of(entry).toAbsolutePath());
    }
    int jars = 0;
    while (jars < entries.size() && Files.isRegularFile(entries.get(jars))) {
      jars++;
    }
    entries.add(jars, conf);
    return entries.stream().map(Path::toString).collect(Collectors.joining(File.pathSeparator));
  }

  public long pid() {
    return process.pid();
  }

  /** Fails with the end of its output when it has ended. */
  public void requireAlive() throws IOException {
    if (!process.isAlive()) {
      throw new IOException("A server has ended; " + tail());
    }
  }

  /** Waits for the end by itself, and fails unless that was a success. */
  public void awaitSuccess(Duration limit) throws IOException {
    if (!ended(limit)) {
      process.destroyForcibly();
      throw new IOException("A command did not end within " + limit.toSeconds() + " s; " + tail());
    }
    if (process.exitValue() != 0) {
      throw new IOException("A command ended with " + process.exitValue() + "; " + tail());
    }
    forget();
  }

  private boolean ended(Duration limit) throws IOException {
    try {
      return process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while a process ran");
    }
  }

  private String tail() throws IOException {
    List<String> lines = Files.readAllLines(output);
    List<String> tail = lines.subList(Math.max(0, lines.size() - TAIL_LINES), lines.size());
    return "the end of " + output + ":\n" + String.join("\n", tail);
  }

  /** Ends it at once, as a power cut would. */
  public void kill() throws IOException {
    process.destroyForcibly();
    ended(END_LIMIT);
    forget();
  }

  private void forget() {
    try {
      Runtime.getRuntime().removeShutdownHook(reaper);
    } catch (IllegalStateException e) {
      // The JVM is ending, and the hook with it.
    }
  }

  @Override
  public void close() throws IOException {
    process.destroy();
    if (!ended(END_LIMIT)) {
      process.destroyForcibly();
      ended(END_LIMIT);
    }
    forget();
  }
}
