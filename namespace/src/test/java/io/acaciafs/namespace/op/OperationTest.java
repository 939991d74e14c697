package io.acaciafs.namespace.op;

import static io.acaciafs.namespace.testkit.NamespaceFixture.SUPERUSER;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.acaciafs.namespace.context.Caller;
import io.acaciafs.namespace.run.NamespaceOperation;
import io.acaciafs.namespace.testkit.NamespaceFixture;
import org.assertj.core.api.AbstractThrowableAssert;
import org.junit.jupiter.api.AfterEach;

/** A namespace of its own for each test. */
public abstract class OperationTest {
  protected NamespaceFixture fs = new NamespaceFixture();

  @AfterEach
  void close() {
    fs.close();
  }

  /** Another namespace instead, with other settings. */
  protected void use(NamespaceFixture other) {
    fs.close();
    fs = other;
  }

  protected AbstractThrowableAssert<?, ? extends Throwable> assertRefused(
      Caller caller, NamespaceOperation<?> operation) {
    return assertThatThrownBy(() -> fs.run(caller, operation));
  }

  protected AbstractThrowableAssert<?, ? extends Throwable> assertRefused(
      NamespaceOperation<?> operation) {
    return assertRefused(SUPERUSER, operation);
  }
}
