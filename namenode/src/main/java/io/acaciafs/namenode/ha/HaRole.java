package io.acaciafs.namenode.ha;

import java.io.IOException;
import org.apache.hadoop.ha.HAServiceProtocol.HAServiceState;
import org.apache.hadoop.ha.ServiceFailedException;

/** This NameNode's part among those of its nameservice. Safe for use by many threads. */
public interface HaRole {
  HAServiceState state();

  /**
   * Has this NameNode lead, and waits until it does.
   *
   * @throws IOException with a sentence for people, when it does not
   */
  void becomeActive() throws IOException;

  /**
   * Has another NameNode lead.
   *
   * @throws IOException with a sentence for people, when there is none that can
   */
  void becomeStandby() throws IOException;

  /**
   * Adds a NameNode to the group; this one leads.
   *
   * @param address where it listens for the others, {@code host:port}
   * @throws IOException with a sentence for people, when it is not added
   */
  void add(String name, String address) throws IOException;

  /**
   * Removes a NameNode from the group; this one leads.
   *
   * @throws IOException with a sentence for people, when it is not removed
   */
  void remove(String name) throws IOException;

  /** Where each NameNode that answers is active, and stays so. */
  static HaRole alwaysActive() {
    return new HaRole() {
      @Override
      public HAServiceState state() {
        return HAServiceState.ACTIVE;
      }

      @Override
      public void becomeActive() {
        // it is
      }

      @Override
      public void becomeStandby() throws IOException {
        throw new ServiceFailedException(
            "Every NameNode of this cluster is active. To take one out of service, stop it");
      }

      @Override
      public void add(String name, String address) throws IOException {
        throw noGroup();
      }

      @Override
      public void remove(String name) throws IOException {
        throw noGroup();
      }

      private IOException noGroup() {
        return new IOException("This NameNode belongs to no group: its engine is not raft");
      }
    };
  }
}
