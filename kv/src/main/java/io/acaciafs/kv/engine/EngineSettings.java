package io.acaciafs.kv.engine;

/** The site's settings, by name. Immutable. */
public interface EngineSettings {
  /**
   * A text without blanks around it.
   *
   * @param otherwise what holds where the site says nothing; may be null
   */
  String text(String name, String otherwise);

  /**
   * A whole number.
   *
   * @throws NumberFormatException when the site says something else
   */
  int number(String name, int otherwise);

  /**
   * A number of bytes, which the site may give as {@code 64m}.
   *
   * @throws NumberFormatException when the site says something else
   */
  long bytes(String name, long otherwise);
}
