package io.acaciafs.namenode.store;

import io.acaciafs.blocks.ClusterIdentity;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.hadoop.conf.Configuration;
import org.jspecify.annotations.Nullable;

/**
 * A format whose store is made. The mark {@link Filling#FORMATTING} says from before that which
 * cluster the store is for: should this process be killed, the next format knows the store again,
 * which on servers lies where others' may be. Immutable.
 */
public record BegunFormat(ClusterIdentity identity, StoreEngine engine) {

  /**
   * Begins one, or takes up one that was cut off. What is in the folder stays.
   *
   * @param clusterId null: made up
   * @param force removes the store that is there, and forgets a format that was cut off
   * @throws IOException when there is a store that may not be removed, or the one that was cut off
   *     is of another cluster
   */
  public static BegunFormat begin(
      Configuration conf, NameDirectory directory, @Nullable String clusterId, boolean force)
      throws IOException {
    Path mark = Filling.FORMATTING.markIn(directory.current());
    if (!force && Files.exists(mark) && Files.size(mark) > 0) { // earlier versions wrote nothing
      ClusterIdentity identity = directory.formatMark().identity();
      requireCluster(identity, clusterId, directory.folder());
      StoreEngine engine = StoreEngine.of(conf, directory, identity);
      engine.formatAnew();
      return new BegunFormat(identity, engine);
    }
    ClusterIdentity identity = NewIdentity.make(conf, clusterId);
    StoreEngine engine = StoreEngine.of(conf, directory, identity);
    directory.formatMark().write(identity, engine.name());
    try {
      engine.format(force);
    } catch (IOException | RuntimeException e) {
      Files.delete(mark);
      throw e;
    }
    return new BegunFormat(identity, engine);
  }

  private static void requireCluster(
      ClusterIdentity identity, @Nullable String clusterId, Path folder) throws IOException {
    if (clusterId != null && !clusterId.isEmpty() && !clusterId.equals(identity.clusterId())) {
      throw new IOException(
          "The folder "
              + folder
              + " holds a format of cluster "
              + identity.clusterId()
              + " that did not come to its end. Name this cluster, or say 'acacia format -force'");
    }
  }
}
