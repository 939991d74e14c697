package io.acaciafs.tools.bench;

import io.acaciafs.bench.workload.Operation;
import io.acaciafs.tools.common.CommandFailure;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** The operations that an option names, of those that a command measures. */
final class BenchOperations {
  private BenchOperations() {}

  /**
   * @param names empty: all
   * @throws CommandFailure when the command does not measure one of them
   */
  static List<Operation> chosen(List<String> names, List<Operation> all) throws CommandFailure {
    List<Operation> chosen = new ArrayList<>();
    for (String name : names) {
      Operation operation = Operation.of(name);
      if (operation == null || !all.contains(operation)) {
        throw new CommandFailure(
            "This does not measure '"
                + name
                + "', but "
                + all.stream().map(Operation::label).collect(Collectors.joining(", ")));
      }
      chosen.add(operation);
    }
    return chosen.isEmpty() ? all : chosen;
  }
}
