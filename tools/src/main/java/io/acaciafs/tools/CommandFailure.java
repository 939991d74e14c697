package io.acaciafs.tools;

/**
 * A failure whose message already says, in a sentence for the user, what is wrong and what to do.
 */
final class CommandFailure extends Exception {
  private static final long serialVersionUID = 1L;

  CommandFailure(String sentence) {
    super(sentence);
  }

  CommandFailure(String sentence, Throwable cause) {
    super(sentence, cause);
  }
}
