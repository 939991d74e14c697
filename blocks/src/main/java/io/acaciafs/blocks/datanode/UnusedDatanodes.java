package io.acaciafs.blocks.datanode;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * Which DataNodes are forgotten because they never named a storage, so that no block can refer to
 * them. Any client can register DataNodes with ids that it makes up, and their number must have a
 * bound. Stateless.
 */
final class UnusedDatanodes {
  /**
   * DataNodes without storages that are kept. A DataNode names its storages in its first heartbeat,
   * right after it has registered; one that is forgotten before is told to register again.
   */
  static final int MOST_WITHOUT_STORAGES = 1000;

  private UnusedDatanodes() {}

  /**
   * Which DataNodes make room for a new one: those that it replaces, and those that have been
   * silent longest. None of them has a storage.
   *
   * @param known those without storages
   * @param replaced DataNodes at the address of the new one
   */
  static List<Datanode> makingRoom(Collection<Datanode> known, List<Datanode> replaced) {
    // as they were heard at one moment: the order must not change while they are sorted
    List<Heard> withoutStorages = known.stream().map(Heard::of).toList();
    int tooMany = withoutStorages.size() + 1 - MOST_WITHOUT_STORAGES;
    Stream<Datanode> silent =
        tooMany <= 0
            ? Stream.empty()
            : withoutStorages.stream()
                .sorted(Comparator.comparingLong(Heard::atMs))
                .limit(tooMany)
                .map(Heard::datanode);
    return Stream.concat(replaced.stream().filter(known::contains), silent).distinct().toList();
  }

  private record Heard(Datanode datanode, long atMs) {
    static Heard of(Datanode datanode) {
      return new Heard(datanode, datanode.lastHeardMs());
    }
  }
}
