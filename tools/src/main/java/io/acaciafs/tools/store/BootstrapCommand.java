package io.acaciafs.tools.store;

import io.acaciafs.namenode.NameNode;
import io.acaciafs.tools.common.ConfigurationOptions;
import java.util.concurrent.Callable;
import org.apache.hadoop.conf.Configuration;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Lets one more NameNode join a file system; does for it what {@code format} did. */
@Command(
    name = "bootstrap",
    description =
        "Prepares dfs.namenode.name.dir for one more NameNode of a file system on HBase or Raft.")
public final class BootstrapCommand implements Callable<Integer> {

  @Mixin private ConfigurationOptions configuration = new ConfigurationOptions();

  @Override
  public Integer call() throws Exception {
    Configuration conf = configuration.load();
    NameNode.bootstrap(conf);
    System.out.println(
        "Prepared " + conf.get("dfs.namenode.name.dir") + ". Start it: acacia namenode");
    return 0;
  }
}
