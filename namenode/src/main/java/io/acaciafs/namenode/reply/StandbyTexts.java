package io.acaciafs.namenode.reply;

import org.apache.hadoop.ipc.StandbyException;

/** How a NameNode refuses what only the one that leads does. Source: HDFS 3.5, StandbyState. */
public final class StandbyTexts {
  private StandbyTexts() {}

  /**
   * @param category of HDFS's operations
   */
  public static StandbyException refusal(String category) {
    return new StandbyException(
        "Operation category "
            + category
            + " is not supported in state standby. Visit https://s.apache.org/sbnn-error");
  }
}
