package io.acaciafs.tools;

import io.acaciafs.kv.hbase.local.FreePorts;
import io.acaciafs.tools.common.CommandFailure;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

/**
 * Has the JVM write down what it has loaded: it does so at the end of this process, as {@code
 * bin/acacia} has asked it to, and later ones read it. What is worth keeping is what a small demo
 * uses: the NameNode, alone and as a member of a group, a DataNode and a client.
 */
@Command(
    name = "archive",
    description = "Makes later starts faster: the JVM keeps what it has read of the classes.")
final class ArchiveCommand implements Callable<Integer> {

  @Override
  public Integer call() throws CommandFailure, IOException {
    boolean asked =
        ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
            .anyMatch(argument -> argument.startsWith("-XX:ArchiveClassesAtExit="));
    if (!asked) {
      throw new CommandFailure("Only bin/acacia can do this: the JVM has not been told to.");
    }
    System.out.println("Starting file systems to see what they load, which takes half a minute");
    PrintStream stdout = System.out;
    System.setOut(new PrintStream(OutputStream.nullOutputStream()));
    int exit;
    try {
      exit = Acacia.run("demo", "--rows=1");
      if (exit == 0) {
        exit = Acacia.run(ofGroup(List.of("demo", "--rows=1")));
      }
    } finally {
      System.setOut(stdout);
    }
    if (exit == 0) {
      System.out.println("Done: later starts read what this one has loaded");
    }
    return exit;
  }

  /** The same for a NameNode that is the only member of its group. */
  private static String[] ofGroup(List<String> command) throws IOException {
    String member = "nn1";
    List<String> all = new ArrayList<>(command);
    all.add("-Dacacia.store.engine=raft");
    all.add("-Dacacia.store.raft.members=" + member + "=127.0.0.1:" + FreePorts.next());
    all.add("-Ddfs.ha.namenode.id=" + member);
    return all.toArray(String[]::new);
  }
}
