package io.acaciafs.settings;

/** A setting has a value that it must not have. The message is a sentence for people. */
public final class InvalidSettingException extends IllegalArgumentException {
  private static final long serialVersionUID = 1;

  InvalidSettingException(String sentence) {
    super(sentence);
  }
}
