package io.acaciafs.tools;

import io.acaciafs.tools.common.CommandFailure;
import java.io.OutputStream;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

/**
 * Has the JVM write down what it has loaded: it does so at the end of this process, as {@code
 * bin/acacia} has asked it to, and later ones read it. What is worth keeping is what a small demo
 * uses: the NameNode, a DataNode and a client.
 */
@Command(
    name = "archive",
    description = "Makes later starts faster: the JVM keeps what it has read of the classes.")
final class ArchiveCommand implements Callable<Integer> {

  @Override
  public Integer call() throws CommandFailure {
    boolean asked =
        ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
            .anyMatch(argument -> argument.startsWith("-XX:ArchiveClassesAtExit="));
    if (!asked) {
      throw new CommandFailure("Only bin/acacia can do this: the JVM has not been told to.");
    }
    System.out.println("Starting a file system to see what it loads, which takes half a minute");
    PrintStream stdout = System.out;
    System.setOut(new PrintStream(OutputStream.nullOutputStream()));
    int exit;
    try {
      exit = Acacia.run("demo", "--rows=1");
    } finally {
      System.setOut(stdout);
    }
    if (exit == 0) {
      System.out.println("Done: later starts read what this one has loaded");
    }
    return exit;
  }
}
