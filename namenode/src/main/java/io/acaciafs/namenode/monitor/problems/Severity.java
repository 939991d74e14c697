package io.acaciafs.namenode.monitor.problems;

/** How bad a problem is. */
public enum Severity {
  /** Users fail, or data is lost. */
  ERROR,
  /** It will become an error if nobody does anything. */
  WARNING,
  /** Good to know. */
  NOTE
}
