package io.acaciafs.namenode.monitor.problems;

import java.util.function.Consumer;

/** A group of checks of one part of a NameNode. Called by one thread at a time. */
@FunctionalInterface
public interface ProblemCheck {
  /** Tells what is wrong now. Waits for no more than a second. */
  void look(Consumer<Problem> found);
}
