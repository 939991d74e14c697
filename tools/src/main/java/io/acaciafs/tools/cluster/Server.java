package io.acaciafs.tools.cluster;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A program that can be started in a process of its own.
 *
 * @param kind what it is
 * @param name of no other one; also the name of its log
 * @param folder what it keeps; also a mark by which its process is known
 * @param classPath given in the environment, as it is too long for a command line
 * @param command options of the JVM, main class, and arguments
 */
record Server(ServerKind kind, String name, Path folder, String classPath, List<String> command) {

  /** An option that changes nothing and names the server in a list of processes. */
  private String mark() {
    return "-Dacacia.server=" + folder;
  }

  /** Starts it; its output is added to the log. */
  Process start(Path log) throws IOException {
    List<String> all = new ArrayList<>();
    all.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    all.add(mark());
    all.addAll(command);
    ProcessBuilder builder =
        new ProcessBuilder(all)
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
    builder.environment().put("CLASSPATH", classPath);
    return builder.start();
  }

  /** Whether a process is this server's. */
  boolean is(ProcessHandle process) {
    return process.isAlive()
        && process.info().arguments().map(List::of).orElse(List.of()).contains(mark());
  }
}
