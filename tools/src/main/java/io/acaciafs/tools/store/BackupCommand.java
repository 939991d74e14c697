package io.acaciafs.tools.store;

import io.acaciafs.namenode.backup.Backup;
import io.acaciafs.tools.common.ConfigurationOptions;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** A copy of the store, while the NameNode serves or not. */
@Command(
    name = "backup",
    header =
        "Copies the namespace to a new folder, while the NameNode serves or after it was stopped.",
    description =
        "The folder is made on the NameNode's machine. Quick on the disk of"
            + " dfs.namenode.name.dir, where files are linked.")
public final class BackupCommand implements Callable<Integer> {

  @Mixin private ConfigurationOptions configuration = new ConfigurationOptions();

  @Parameters(paramLabel = "DIR", description = "The folder to make; must not be there.")
  private Path folder;

  @Override
  public Integer call() throws Exception {
    System.out.println(Backup.make(configuration.load(), folder.toAbsolutePath().normalize()));
    return 0;
  }
}
