package io.acaciafs.tools.cluster;

import java.util.List;
import java.util.stream.IntStream;

/** How many servers of each kind there are; those that have to outlive one of them are fixed. */
record ServerCounts(int nameNodes, int regionServers) {
  private static final int OF_A_QUORUM = 3;

  /** Of each file of HBase a replica on each. */
  private static final int DATANODES = 3;

  private static final int PAIR = 2;

  ServerCounts {
    if (nameNodes < 1 || regionServers < 1) {
      throw new IllegalArgumentException("--namenodes and --region-servers are at least 1.");
    }
  }

  int of(ServerKind kind) {
    return switch (kind) {
      case ZOOKEEPER, META_NAMENODE -> OF_A_QUORUM;
      case DATANODE -> DATANODES;
      case MASTER, ROUTER -> PAIR;
      case REGION_SERVER -> regionServers;
      case NAMENODE -> nameNodes;
    };
  }

  /** The names of all of a kind. */
  List<String> names(ServerKind kind) {
    return IntStream.range(0, of(kind)).mapToObj(kind::name).toList();
  }
}
