package io.acaciafs.kv.engine;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The cluster of servers that keeps a store, as its operators see it. Each method asks the servers,
 * blocks for some seconds at most, and throws {@link io.acaciafs.kv.StoreException} with a sentence
 * for people where they do not answer. Safe for use by many threads.
 */
public interface StoreCluster {
  /** Asks the master; costs what a cluster has of servers, and nothing for each region. */
  State state();

  /** What each live server has to do; costs what a cluster has of regions. */
  List<Load> loads();

  /**
   * Asks the regions for their coprocessor, each once after it was opened.
   *
   * @return empty where the store is meant to be without one
   */
  Optional<Coprocessor> coprocessor();

  /**
   * The cluster as its master sees it.
   *
   * @param version of the servers' software
   * @param master host and port, as of all servers here
   * @param backupMasters which take its place
   * @param live servers
   * @param dead servers that the master has not forgotten
   * @param regions of the store, those included that are not online
   * @param online regions of the store that a server has opened
   * @param transitions regions of the store that are being opened or closed, or should be
   */
  record State(
      String version,
      String master,
      List<String> backupMasters,
      List<String> live,
      List<String> dead,
      int regions,
      int online,
      List<Transition> transitions) {
    public State {
      backupMasters = List.copyOf(backupMasters);
      live = List.copyOf(live);
      dead = List.copyOf(dead);
      transitions = List.copyOf(transitions);
    }
  }

  /**
   * A region that is not where it should be.
   *
   * @param region its name, for people
   * @param state the servers' word for it
   */
  record Transition(String region, String state) {}

  /**
   * A live server.
   *
   * @param name host and port
   * @param regions of the store
   * @param fileBytes of the files of these regions
   * @param requestsPerSecond to all of its regions, of whatever store
   */
  record Load(
      String name,
      int regions,
      long fileBytes,
      long requestsPerSecond,
      long heapBytes,
      long maxHeapBytes) {}

  /**
   * The coprocessor of the store's regions.
   *
   * @param own the version of this process
   * @param versions how many regions have which; "" for one that does not tell its version
   * @param missing regions without it, each with its server, for people
   * @param unknown how many regions have not answered yet
   */
  record Coprocessor(String own, Map<String, Integer> versions, List<String> missing, int unknown) {
    public Coprocessor {
      versions = Map.copyOf(versions);
      missing = List.copyOf(missing);
    }
  }
}
