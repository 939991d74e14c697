package io.acaciafs.bench.compare;

import java.util.List;

/** The two NameNodes. */
public enum Contestant {
  HDFS("hdfs", "Hadoop's NameNode", "org.apache.hadoop.hdfs.server.namenode.NameNode") {
    @Override
    public List<String> format() {
      return List.of("-format", "-nonInteractive", "-clusterId", CLUSTER_ID);
    }

    @Override
    public List<String> serve() {
      return List.of();
    }
  },
  ACACIA("acacia", "Acacia", "io.acaciafs.tools.Acacia") {
    @Override
    public List<String> format() {
      return List.of("format", "-nonInteractive", "-clusterid", CLUSTER_ID);
    }

    @Override
    public List<String> serve() {
      return List.of("namenode");
    }
  };

  private static final String CLUSTER_ID = "CID-bench";

  private final String label;
  private final String title;
  private final String mainClass;

  Contestant(String label, String title, String mainClass) {
    this.label = label;
    this.title = title;
    this.mainClass = mainClass;
  }

  /** In JSON, and in names of folders. */
  public String label() {
    return label;
  }

  /** For people. */
  public String title() {
    return title;
  }

  public String mainClass() {
    return mainClass;
  }

  public abstract List<String> format();

  public abstract List<String> serve();
}
