package io.acaciafs.tools;

import io.acaciafs.tools.common.CommandFailure;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

/** Done by {@code bin/acacia} itself, after a build; here for the list of commands. */
@Command(
    name = "dist",
    description = "Makes target/acacia-VERSION.tar.gz, which runs in any folder and needs a JRE.")
final class DistCommand implements Callable<Integer> {

  @Override
  public Integer call() throws CommandFailure {
    throw new CommandFailure("Only bin/acacia of a checkout can do this.");
  }
}
