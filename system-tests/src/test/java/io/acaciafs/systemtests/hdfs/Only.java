package io.acaciafs.systemtests.hdfs;

import java.util.Set;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;

/** Runs a few tests of a class, and starts no cluster for the others. */
final class Only implements ExecutionCondition {
  private final String reason;
  private final Set<String> names;

  /**
   * @param reason why the others cannot run
   * @param names of those that run
   */
  Only(String reason, String... names) {
    this.reason = reason;
    this.names = Set.of(names);
  }

  @Override
  public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
    return context.getTestMethod().map(method -> names.contains(method.getName())).orElse(true)
        ? ConditionEvaluationResult.enabled("runs")
        : ConditionEvaluationResult.disabled(reason);
  }
}
