package io.acaciafs.tools.store;

import io.acaciafs.namenode.backup.Backup;
import io.acaciafs.tools.common.ConfigurationOptions;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** The way back from a backup. */
@Command(
    name = "restore",
    header =
        "Fills dfs.namenode.name.dir, which is to be empty, from a folder that 'acacia"
            + " backup' made.",
    description =
        "DataNodes delete the blocks of files that were made since: see docs/backup.md first.")
public final class RestoreCommand implements Callable<Integer> {

  @Mixin private ConfigurationOptions configuration = new ConfigurationOptions();

  @Parameters(paramLabel = "DIR", description = "The folder of the backup; stays as it is.")
  private Path folder;

  @Override
  public Integer call() throws Exception {
    System.out.println(Backup.restore(configuration.load(), folder.toAbsolutePath().normalize()));
    return 0;
  }
}
