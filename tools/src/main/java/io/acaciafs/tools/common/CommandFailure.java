package io.acaciafs.tools.common;

/**
 * A failure whose message already says, in a sentence for the user, what is wrong and what to do.
 */
public final class CommandFailure extends Exception {
  private static final long serialVersionUID = 1L;

  public CommandFailure(String sentence) {
    super(sentence);
  }

  public CommandFailure(String sentence, Throwable cause) {
    super(sentence, cause);
  }
}
