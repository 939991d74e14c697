package io.acaciafs.tools.bench;

import io.acaciafs.bench.Bench;
import io.acaciafs.bench.BenchSettings;
import io.acaciafs.bench.Measurement;
import io.acaciafs.bench.Report;
import io.acaciafs.bench.client.Shape;
import io.acaciafs.bench.datanode.PretendedDatanodes;
import io.acaciafs.bench.sasl.Credentials;
import io.acaciafs.bench.workload.Operation;
import io.acaciafs.bench.workload.Sizes;
import io.acaciafs.tools.common.CommandFailure;
import io.acaciafs.tools.common.ConfigurationOptions;
import io.acaciafs.tools.common.StepLine;
import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.Callable;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hdfs.DFSUtilClient;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help.Visibility;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Measures a NameNode, ours or Hadoop's, from outside. */
@Command(
    name = "bench",
    header = "Measures a NameNode, Acacia's or Hadoop's: operations a second, latencies, CPU.",
    description = "Makes what it needs below --root, and removes it afterwards.",
    subcommands = {
      BenchEchoCommand.class,
      BenchAgainstHdfsCommand.class,
      BenchObserversCommand.class,
      BenchMembersCommand.class,
      BenchFailoversCommand.class,
      BenchLoadCommand.class,
      BenchBadClientCommand.class,
      BenchSecurityCommand.class,
      BenchGrowthCommand.class,
      BenchWalksCommand.class,
      BenchPairCommand.class,
      BenchDatanodesCommand.class,
      BenchGiraffaCommand.class,
      BenchMetaratesCommand.class
    },
    showDefaultValues = true)
public final class BenchCommand implements Callable<Integer> {

  @Mixin private ConfigurationOptions configuration = new ConfigurationOptions();

  @Parameters(
      paramLabel = "OPERATION",
      arity = "0..*",
      completionCandidates = Operations.class,
      showDefaultValue = Visibility.NEVER,
      description = "One or more of: ${COMPLETION-CANDIDATES}.")
  private List<String> operations = List.of();

  @Option(names = "-fs", paramLabel = "URI", description = "The NameNode (default: fs.defaultFS).")
  private @Nullable URI fileSystem;

  @Option(
      names = "--pid",
      paramLabel = "PID",
      description =
          "The NameNode's process on this machine, to measure the CPU that it takes. May be repeated,"
              + " for those of its group.")
  private List<Long> pids = List.of();

  @Option(names = "--user", description = "Who calls, by Hadoop's SIMPLE authentication.")
  private String user = System.getProperty("user.name");

  @Option(names = "--root", paramLabel = "PATH", description = "Holds all that is made.")
  private String root = "/bench";

  @Option(names = "--connections", paramLabel = "N", description = "Clients.")
  private int connections = 16;

  @Option(names = "--in-flight", paramLabel = "N", description = "Calls in flight of each client.")
  private int inFlight = 8;

  @Option(names = "--threads", paramLabel = "N", description = "Threads that make the calls.")
  private int threads = 1;

  @Option(names = "--warm-up", paramLabel = "SECONDS", description = "Before it is measured.")
  private double warmUpSeconds = 10;

  @Option(names = "--duration", paramLabel = "SECONDS", description = "How long it is measured.")
  private double durationSeconds = 10;

  @Option(names = "--directories", paramLabel = "N", description = "Directories that hold files.")
  private int directories = 100;

  @Option(names = "--depth", paramLabel = "N", description = "Levels down to these directories.")
  private int depth = 3;

  @Option(
      names = "--files-per-directory",
      paramLabel = "N",
      description = "Files to read in each directory.")
  private int filesPerDirectory = 100;

  @Option(
      names = "--files",
      paramLabel = "N",
      description = "Files to rename and remove, of NNBench's open_read, and that metarates makes.")
  private int files = 20_000;

  @Option(
      names = "--calls-per-task",
      paramLabel = "N",
      description = "How often each task of list_status calls.")
  private int callsPerTask = 10_000;

  @Option(
      names = "--pretended-datanodes",
      paramLabel = "N",
      description =
          "Register this many DataNodes without blocks, so that files to read have a"
              + " block. Only for a NameNode without other files: a client that writes to such a DataNode"
              + " fails.")
  private int pretendedDatanodes;

  @Option(names = "--seed", paramLabel = "N", description = "Chooses the files to read.")
  private long seed = 1;

  @Option(names = "--keep", description = "Leave what was made; the files to read serve again.")
  private boolean keep;

  @Option(names = "--json", description = "Print JSON, for machines.")
  private boolean json;

  /** The names of the operations. */
  static final class Operations implements Iterable<String> {
    @Override
    public Iterator<String> iterator() {
      return Arrays.stream(Operation.values()).map(Operation::label).iterator();
    }
  }

  @Override
  public Integer call() throws Exception {
    List<Operation> chosen = chosen();
    BenchSettings settings = settings();
    String run = "run-" + Long.toString(System.currentTimeMillis(), Character.MAX_RADIX);
    List<Measurement> measurements = new ArrayList<>();
    StepLine line = new StepLine(System.err, System.console() != null && !json);
    if (!json) {
      System.out.println(Report.head());
    }
    try (PretendedDatanodes datanodes =
        PretendedDatanodes.start(settings.target().server(), pretendedDatanodes)) {
      Bench bench = new Bench(settings, run, pretendedDatanodes > 0 ? datanodes : null, line);
      for (Operation operation : chosen) {
        for (Measurement measurement : bench.measure(operation)) {
          measurements.add(measurement);
          line.clear();
          show(measurement);
        }
      }
      bench.cleanUp();
      line.clear();
    }
    if (json) {
      System.out.println(Report.json(settings.shape(), measurements));
    }
    return measurements.stream().allMatch(each -> each.failures().isEmpty()) ? 0 : 1;
  }

  private void show(Measurement measurement) {
    if (!json) {
      System.out.println(Report.line(measurement));
    }
    Report.failures(measurement).forEach(System.err::println);
  }

  private List<Operation> chosen() throws CommandFailure {
    if (operations.isEmpty()) {
      throw new CommandFailure("Say what to measure, for example: acacia bench stat");
    }
    List<Operation> chosen = new ArrayList<>();
    for (String name : operations) {
      Operation operation = Operation.of(name);
      if (operation == null) {
        throw new CommandFailure(
            "There is no benchmark '" + name + "', but: " + String.join(", ", new Operations()));
      }
      chosen.add(operation);
    }
    return chosen;
  }

  private BenchSettings settings() throws CommandFailure {
    if (!root.startsWith("/") || root.endsWith("/")) {
      throw new CommandFailure("--root is to be a folder of the file system, for example /bench");
    }
    return new BenchSettings(
        new BenchSettings.Target(server(), pids, Credentials.named(user), root),
        new Shape(positive("--connections", connections), positive("--in-flight", inFlight)),
        positive("--threads", threads),
        new BenchSettings.Times(seconds(warmUpSeconds), seconds(durationSeconds)),
        new Sizes(
            positive("--directories", directories),
            positive("--depth", depth),
            positive("--files-per-directory", filesPerDirectory),
            positive("--files", files),
            positive("--calls-per-task", callsPerTask)),
        seed,
        keep);
  }

  private static int positive(String option, int value) throws CommandFailure {
    if (value < 1) {
      throw new CommandFailure(option + " is to be at least 1");
    }
    return value;
  }

  private static Duration seconds(double value) {
    return Duration.ofMillis(Math.round(value * 1000));
  }

  private InetSocketAddress server() throws CommandFailure {
    URI uri = fileSystem == null ? FileSystem.getDefaultUri(configuration.load()) : fileSystem;
    if (!"hdfs".equals(uri.getScheme()) || uri.getHost() == null) {
      throw new CommandFailure("-fs is to be a NameNode, for example hdfs://localhost:8020");
    }
    return DFSUtilClient.getNNAddress(uri.getAuthority());
  }
}
