package io.acaciafs.namenode.ha;

import io.acaciafs.namenode.process.ServingNameNode;
import java.io.IOException;
import org.apache.hadoop.conf.Configuration;

/** Changes which NameNodes the group has, by asking the one that leads. Stateless; for tools. */
public final class GroupChange {
  /** By which a NameNode that leads is asked to add one; arguments: its name and host:port. */
  public static final String ADD = "acacia.raft.add";

  /** By which a NameNode that leads is asked to remove one; the argument is its name. */
  public static final String REMOVE = "acacia.raft.remove";

  private static final String OTHERWISE = "a group changes only while one leads";

  private GroupChange() {}

  /**
   * Adds one, and waits until it has caught up.
   *
   * @param address where it listens for the others, {@code host:port}
   * @return a sentence for people
   * @throws IOException with a sentence when it is not added
   */
  public static String add(Configuration conf, String name, String address) throws IOException {
    return ServingNameNode.ask(conf, OTHERWISE, ADD, name, address);
  }

  /**
   * Removes one.
   *
   * @return a sentence for people
   * @throws IOException with a sentence when it is not removed
   */
  public static String remove(Configuration conf, String name) throws IOException {
    return ServingNameNode.ask(conf, OTHERWISE, REMOVE, name);
  }
}
