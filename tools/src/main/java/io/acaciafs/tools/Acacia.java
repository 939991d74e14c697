package io.acaciafs.tools;

import io.acaciafs.tools.bench.BenchCommand;
import io.acaciafs.tools.cluster.ClusterLocalCommand;
import io.acaciafs.tools.common.Hints;
import io.acaciafs.tools.common.VersionCommand;
import io.acaciafs.tools.hadoop.HadoopCommand;
import io.acaciafs.tools.image.ExportCommand;
import io.acaciafs.tools.image.ImportCommand;
import io.acaciafs.tools.local.DemoCommand;
import io.acaciafs.tools.local.HBaseLocalCommand;
import io.acaciafs.tools.local.StandaloneCommand;
import io.acaciafs.tools.raft.RaftCommand;
import io.acaciafs.tools.store.BackupCommand;
import io.acaciafs.tools.store.BootstrapCommand;
import io.acaciafs.tools.store.CheckCommand;
import io.acaciafs.tools.store.FormatCommand;
import io.acaciafs.tools.store.MigrateCommand;
import io.acaciafs.tools.store.MkdirCommand;
import io.acaciafs.tools.store.RestoreCommand;
import io.acaciafs.tools.store.StatusCommand;
import java.util.Arrays;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.HelpCommand;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ScopeType;

/**
 * The {@code acacia} command: its own commands by picocli, Hadoop's by {@link HadoopCommand}.
 *
 * <p>Exit codes: 0 done, 1 failed, 2 wrong usage; Hadoop's own commands keep theirs. A failure is
 * one English sentence on stderr; {@code --debug} or {@code ACACIA_DEBUG} adds the stack trace.
 */
@Command(
    name = "acacia",
    description = "A NameNode for HDFS clusters whose namespace lives in a key-value store.",
    mixinStandardHelpOptions = true,
    scope = ScopeType.INHERIT,
    versionProvider = VersionCommand.class,
    synopsisSubcommandLabel = "COMMAND",
    subcommands = {
      StandaloneCommand.class,
      DemoCommand.class,
      ArchiveCommand.class,
      DistCommand.class,
      FormatCommand.class,
      StatusCommand.class,
      BootstrapCommand.class,
      NameNodeCommand.class,
      RaftCommand.class,
      MkdirCommand.class,
      CheckCommand.class,
      ImportCommand.class,
      ExportCommand.class,
      MigrateCommand.class,
      BackupCommand.class,
      RestoreCommand.class,
      BenchCommand.class,
      ModelCommand.class,
      HBaseLocalCommand.class,
      ClusterLocalCommand.class,
      VersionCommand.class,
      HelpCommand.class,
      AutoComplete.GenerateCompletion.class
    })
public final class Acacia {

  /**
   * Without options it needs no parser either, which takes a quarter of a start: it first makes a
   * model of all commands and their options.
   */
  private static final String NAMENODE = "namenode";

  @Option(
      names = "--debug",
      scope = ScopeType.INHERIT,
      description = "Show the stack trace of a failure (also: ACACIA_DEBUG=1).")
  private boolean debug;

  /** Makes Netty tell the JVM's flight recorder of each buffer, or not. */
  private static final String NETTY_EVENTS = "io.netty.jfr.enabled";

  /** Runs one command and ends the JVM with its exit code. */
  public static void main(String[] args) {
    if (System.getProperty(NETTY_EVENTS) == null) {
      // The first buffer would wait for the recorder to be made ready, as long as for all the rest.
      System.setProperty(NETTY_EVENTS, "false");
    }
    System.exit(run(args));
  }

  /**
   * Runs one command.
   *
   * @return its exit code
   */
  static int run(String... args) {
    Acacia acacia = new Acacia();
    if (args.length == 1 && args[0].equals(NAMENODE)) {
      return acacia.call(new NameNodeCommand());
    }
    Optional<HadoopCommand> hadoops =
        args.length == 0 ? Optional.empty() : HadoopCommand.of(args[0]);
    if (hadoops.isPresent()) {
      String[] verbatim = Arrays.copyOfRange(args, 1, args.length);
      return acacia.call(() -> hadoops.get().run(verbatim));
    }
    CommandLine commandLine = commandLine(acacia);
    commandLine.setExecutionExceptionHandler((e, command, parsed) -> acacia.explain(e));
    if (args.length == 0) {
      commandLine.usage(System.err);
      return CommandLine.ExitCode.USAGE;
    }
    return commandLine.execute(args);
  }

  private int call(Callable<Integer> command) {
    try {
      return command.call();
    } catch (Exception e) {
      return explain(e);
    }
  }

  /** All commands with their options; of Hadoop's the names alone. */
  static CommandLine commandLine(Acacia acacia) {
    CommandLine commandLine = new CommandLine(acacia);
    for (HadoopCommand command : HadoopCommand.values()) {
      CommandSpec spec = CommandSpec.wrapWithoutInspection(command);
      spec.usageMessage().description(command.description());
      String[] names = command.names();
      String[] aliases = Arrays.copyOfRange(names, 1, names.length);
      commandLine.addSubcommand(names[0], spec, aliases);
    }
    return commandLine.setUsageHelpAutoWidth(true);
  }

  private int explain(Exception e) {
    System.err.println("acacia: " + Hints.sentence(e));
    if (debug || System.getenv("ACACIA_DEBUG") != null) {
      e.printStackTrace();
    }
    return CommandLine.ExitCode.SOFTWARE;
  }
}
