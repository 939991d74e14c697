package io.acaciafs.tools.bench;

import io.acaciafs.bench.scale.PairCosts;
import io.acaciafs.bench.workload.Operation;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** One NameNode with one region server, with the coprocessor and without. */
@Command(
    name = "pair",
    description =
        "Measures what a call costs a NameNode with a region server, beside Hadoop's and RocksDB.")
final class BenchPairCommand implements Callable<Integer> {
  @Option(names = "--quick", description = "Ends within twenty minutes.")
  private boolean quick;

  @Mixin private BenchRun run = new BenchRun();

  @Option(
      names = "--operations",
      paramLabel = "NAME",
      split = ",",
      description = "Only these, of: stat, open, list, create, mkdir, delete.")
  private List<String> operations = List.of();

  @Option(
      names = "--json",
      paramLabel = "FILE",
      description = "Write what each process costs into this file, as the model reads it.")
  private @Nullable Path json;

  @Override
  public Integer call() throws Exception {
    List<Operation> chosen = BenchOperations.chosen(operations, PairCosts.OPERATIONS);
    PairCosts.Plan plan = quick ? PairCosts.Plan.quick(chosen) : PairCosts.Plan.thorough(chosen);
    return run.run(
        (folder, machine, steps) -> {
          PairCosts.Outcome outcome =
              PairCosts.run(plan, machine, folder, steps, BenchRun.log(steps));
          BenchRun.print(outcome.table());
          run.writePage(outcome::writeTo);
          if (json != null) {
            Files.writeString(json, outcome.json());
          }
          outcome.failures().forEach(failure -> System.err.println("failed: " + failure));
          return outcome.failures().isEmpty() ? 0 : 1;
        });
  }
}
