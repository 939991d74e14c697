package io.acaciafs.tools.common;

import io.acaciafs.namenode.process.Versions;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;

/**
 * Prints the versions that a report of a fault should name.
 *
 * <p>The parser asks for them at every start: nothing here may load a class that logs, since {@link
 * Logging} comes later.
 */
@Command(name = "version", description = "Prints the versions of Acacia, Hadoop and Java.")
public final class VersionCommand implements Callable<Integer>, IVersionProvider {

  @Override
  public Integer call() {
    for (String line : getVersion()) {
      System.out.println(line);
    }
    return 0;
  }

  @Override
  public String[] getVersion() {
    return new String[] {
      "Acacia " + Versions.ACACIA, "Hadoop " + Versions.HADOOP, "Java " + Runtime.version()
    };
  }
}
