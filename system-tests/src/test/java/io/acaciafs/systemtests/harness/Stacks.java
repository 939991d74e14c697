package io.acaciafs.systemtests.harness;

import java.util.List;
import java.util.regex.Pattern;

/** The stack traces in a log. */
public final class Stacks {
  private static final Pattern STACK = Pattern.compile("^\\s+at |^\\s*Caused by: ");

  private Stacks() {}

  /** The lines of a log that belong to a stack trace. */
  public static List<String> in(List<String> log) {
    return log.stream().filter(line -> STACK.matcher(line).find()).toList();
  }
}
