package io.acaciafs.namenode.ha;

import org.apache.hadoop.util.Time;

/**
 * Why this process serves.
 *
 * @param role for {@code hdfs haadmin}
 * @param term grows with each process that serves after another one; 0: nobody is elected
 * @param heard what DataNodes said to this process before
 */
public record Leadership(HaRole role, long term, HeardDatanodes heard) {
  /** Of a NameNode that serves from its start to its end. */
  public static Leadership always() {
    return new Leadership(
        HaRole.alwaysActive(), 0, new HeardDatanodes(Time::monotonicNow, () -> false, 0));
  }

  /** Whether other NameNodes may have served before. */
  public boolean isElected() {
    return term > 0;
  }

  /** Whether DataNodes are known already, so that there is nothing to wait for. */
  public boolean isTakeOver() {
    return !heard.isEmpty();
  }
}
