package io.acaciafs.kv.check;

import io.acaciafs.kv.Reader;
import java.util.function.Consumer;

/** Whether a few rows agree; may be asked any number of times. */
@FunctionalInterface
public interface Question {
  /**
   * @param reader all that the answer rests on is read by its {@code get}; where it guards what it
   *     reads, the answer is true at one moment
   * @param findings takes what is wrong now
   */
  void ask(Reader reader, Consumer<Finding> findings) throws InterruptedException;
}
