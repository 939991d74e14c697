package io.acaciafs.kv.hbase.commit;

/** What came of trying a commit once, where it did not fail for good. */
public enum Attempt {
  /** It took effect. */
  DONE,
  /** Nothing was written; the rows have to be read again. */
  AGAIN
}
