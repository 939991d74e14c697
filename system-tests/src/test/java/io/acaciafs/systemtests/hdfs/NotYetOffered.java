package io.acaciafs.systemtests.hdfs;

import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.TestExecutionExceptionHandler;

/** Skips a test at the first call that Acacia says it does not support yet. */
class NotYetOffered implements TestExecutionExceptionHandler {

  @Override
  public void handleTestExecutionException(ExtensionContext context, Throwable failure)
      throws Throwable {
    String text = String.valueOf(failure.getMessage());
    if (text.contains("Acacia does not support") && text.contains("yet")) {
      Assumptions.abort(text);
    }
    throw failure;
  }
}
