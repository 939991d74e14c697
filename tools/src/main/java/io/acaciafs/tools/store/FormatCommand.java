package io.acaciafs.tools.store;

import io.acaciafs.namenode.NameNode;
import io.acaciafs.tools.common.ConfigurationOptions;
import java.io.Console;
import java.nio.file.Path;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.apache.hadoop.conf.Configuration;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Makes an empty namespace in {@code dfs.namenode.name.dir}; asks before it destroys one. */
@Command(name = "format", description = "Creates an empty namespace in dfs.namenode.name.dir.")
public final class FormatCommand implements Callable<Integer> {

  @Mixin private ConfigurationOptions configuration = new ConfigurationOptions();

  @Option(
      names = {"-clusterid", "-clusterId"},
      paramLabel = "ID",
      description = "The cluster's id (default: made up).")
  private @Nullable String clusterId;

  @Option(
      names = "--engine",
      paramLabel = "ENGINE",
      description = "Where it is stored: rocksdb or hbase (default: acacia.store.engine).")
  private @Nullable String engine;

  @Option(
      names = "-layout",
      paramLabel = "LAYOUT",
      description = "Where directories lie: spread or locality (default: acacia.namespace.layout).")
  private @Nullable String layout;

  @Option(names = "-force", description = "Format even if that destroys a namespace.")
  private boolean force;

  @Option(names = "-nonInteractive", description = "Fail instead of asking.")
  private boolean nonInteractive;

  @Override
  public Integer call() throws Exception {
    Configuration conf = configuration.load();
    if (engine != null) {
      conf.set("acacia.store.engine", engine);
    }
    if (layout != null) {
      conf.set("acacia.namespace.layout", layout);
    }
    Path folder = NameNode.folder(conf);
    NameNode.format(conf, clusterId, force || !NameNode.isEmpty(conf) && confirmed(folder));
    System.out.println("Formatted " + folder);
    return 0;
  }

  private boolean confirmed(Path folder) {
    Console console = System.console();
    if (nonInteractive || console == null) {
      return false;
    }
    String answer =
        console.readLine("%s holds a namespace. Format it and lose all files? (y/N) ", folder);
    return answer != null && answer.strip().toLowerCase(Locale.ROOT).startsWith("y");
  }
}
