package io.acaciafs.tools.store;

import io.acaciafs.namenode.store.StoreStatus;
import io.acaciafs.tools.common.ConfigurationOptions;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Says what is formatted, and where it is. */
@Command(
    name = "status",
    description = "Shows the engine, the place and the layout of the configured file system.")
public final class StatusCommand implements Callable<Integer> {

  @Mixin private ConfigurationOptions configuration = new ConfigurationOptions();

  @Override
  public Integer call() throws Exception {
    StoreStatus status = StoreStatus.look(configuration.load());
    System.out.printf("Engine:      %s%n", status.engine());
    System.out.printf("Store:       %s%n", status.place());
    System.out.printf("Cluster:     %s%n", status.clusterId());
    System.out.printf("Block pool:  %s%n", status.blockPoolId());
    System.out.printf("Row layout:  %s%n", status.layout());
    if (!status.regions().isEmpty()) {
      System.out.printf("Regions:     %d%n", status.regions().size());
      status.regions().forEach(region -> System.out.println("  " + region));
    }
    return 0;
  }
}
