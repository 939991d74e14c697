package io.acaciafs.model;

/** A file does not say what it has to; the message names the file and the field. */
public final class InputException extends Exception {
  private static final long serialVersionUID = 1L;

  InputException(String sentence) {
    super(sentence);
  }
}
