package io.acaciafs.systemtests.harness;

import java.util.List;
import java.util.Map;

/**
 * What an {@link HaCluster} is made of, besides three NameNodes.
 *
 * @param dataNodes in the test's process
 * @param settings of all NameNodes, DataNodes and clients
 * @param faults whether the network between NameNodes can be cut, and syncs of theirs be slow; else
 *     they are as at a user's
 * @param program Acacia's NameNode, of this version or an earlier one
 * @param classes jars and folders behind the class path of NameNodes
 */
public record HaOptions(
    int dataNodes,
    Map<String, String> settings,
    boolean faults,
    NameNodeProgram program,
    List<String> classes) {
  public HaOptions {
    settings = Map.copyOf(settings);
    classes = List.copyOf(classes);
  }

  /** With nothing more on the class path. */
  public HaOptions(
      int dataNodes, Map<String, String> settings, boolean faults, NameNodeProgram program) {
    this(dataNodes, settings, faults, program, List.of());
  }

  /** Of this version. */
  public HaOptions(int dataNodes, Map<String, String> settings, boolean faults) {
    this(dataNodes, settings, faults, NameNodeProgram.ACACIA);
  }

  /** Nothing but DataNodes. */
  static HaOptions of(int dataNodes) {
    return new HaOptions(dataNodes, Map.of(), false);
  }
}
