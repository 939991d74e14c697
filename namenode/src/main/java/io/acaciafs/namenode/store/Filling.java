package io.acaciafs.namenode.store;

import java.nio.file.Path;

/**
 * A command that fills the folder of a NameNode. The name is that of an empty file, which lies in
 * {@code current} while the folder is not whole.
 */
public enum Filling {
  FORMATTING("a format", "'acacia format' again, which begins anew"),
  IMPORTING(
      "an import",
      "'acacia import' again, which begins anew, or 'acacia format -force' for an empty file"
          + " system"),
  RESTORING(
      "a restore",
      "'acacia restore' again, which begins anew, or 'acacia format -force' for an empty file"
          + " system"),
  MIGRATING("a migration", "'acacia migrate' again, which goes on where it was");

  private final String what;
  private final String advice;

  Filling(String what, String advice) {
    this.what = what;
    this.advice = advice;
  }

  Path markIn(Path current) {
    return current.resolve(name());
  }

  /** What a folder with this mark holds; for people. */
  public String holds() {
    return "holds " + what + " that did not come to its end.";
  }

  /** The same with what to do. */
  String sentence() {
    return holds() + " Run " + advice;
  }
}
