package io.acaciafs.namespace.model;

import io.acaciafs.namespace.context.Caller;
import io.acaciafs.namespace.run.NamespaceOperation;
import io.acaciafs.namespace.testkit.NamespaceFixture;
import java.io.IOException;
import java.util.function.Function;

/**
 * One operation, for both sides.
 *
 * @param text for who has to find out what went wrong
 * @param answer what the model answers, with the operation done to it
 */
record Step(String text, Real<?> real, ModelOperation answer) {

  @FunctionalInterface
  interface ModelOperation {
    String run(Model model) throws IOException;
  }

  /** The operation on the namespace, and its result as the model would say it. */
  record Real<T>(Caller caller, NamespaceOperation<T> operation, Function<T, String> render) {
    String run(NamespaceFixture fixture) throws IOException {
      return render.apply(fixture.run(caller, operation));
    }
  }

  /** What the model answers, and what it becomes. */
  record Expected(String answer, Model after) {}

  /** Does the operation to a copy of the model, within its quotas. */
  Expected expected(Model before) {
    Model after = before.copy();
    String said;
    try {
      said = answer.run(after);
    } catch (IOException | RuntimeException e) {
      return new Expected(e.getClass().getName(), after);
    }
    String exceeded = ModelQuotas.exceeded(before, after);
    return exceeded == null ? new Expected(said, after) : new Expected(exceeded, before);
  }

  /** What the text begins with, behind the user. */
  String name() {
    return text.split(" ")[1];
  }

  static <T> Step of(
      String text,
      Caller caller,
      NamespaceOperation<T> operation,
      Function<T, String> render,
      ModelOperation answer) {
    return new Step(caller.user() + ": " + text, new Real<>(caller, operation, render), answer);
  }
}
