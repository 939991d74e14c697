package io.acaciafs.namenode.settings;

/** What this NameNode makes of a setting. */
enum Verdict {
  /** It means what it means in HDFS. */
  HONOURED,
  /** It promises protection that is not there: the start is refused. */
  REFUSED,
  /** HDFS's NameNode follows it, this one does not: the start warns. */
  WARNED,
  /** No NameNode reads it, or it says how something is done that has a setting of its own. */
  ELSEWHERE
}
