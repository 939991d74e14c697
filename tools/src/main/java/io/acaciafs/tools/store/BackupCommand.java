package io.acaciafs.tools.store;

import io.acaciafs.namenode.backup.Backup;
import io.acaciafs.tools.common.ConfigurationOptions;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.apache.hadoop.conf.Configuration;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** A copy of the store, while the NameNode serves or not. */
@Command(
    name = "backup",
    header =
        "Copies the namespace to a new folder, while the NameNode serves or after it was stopped.",
    description =
        "The folder is made on the NameNode's machine. Quick on the disk of"
            + " dfs.namenode.name.dir, where files are linked. Of NameNodes of which one leads, one"
            + " that stands by makes it: that of this machine, if it does; else another one; and the"
            + " one that leads where none has all that was acknowledged. The answer names it.")
public final class BackupCommand implements Callable<Integer> {

  @Mixin private ConfigurationOptions configuration = new ConfigurationOptions();

  @Parameters(paramLabel = "DIR", description = "The folder to make; must not be there.")
  private Path folder;

  @Option(
      names = "--from",
      paramLabel = "NAME",
      description =
          "Has this one of dfs.ha.namenodes make the backup, whether it leads or stands by.")
  private @Nullable String from;

  @Override
  public Integer call() throws Exception {
    Configuration conf = configuration.load();
    Path target = folder.toAbsolutePath().normalize();
    System.out.println(from == null ? Backup.make(conf, target) : Backup.make(conf, target, from));
    return 0;
  }
}
