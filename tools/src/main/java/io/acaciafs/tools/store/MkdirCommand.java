package io.acaciafs.tools.store;

import io.acaciafs.namespace.record.Buckets;
import io.acaciafs.tools.common.CommandFailure;
import io.acaciafs.tools.common.ConfigurationOptions;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.Callable;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * Makes directories that spread over several buckets: a mkdir, and the extended attribute {@code
 * user.acacia.buckets} on the directory while it is empty, as any HDFS client can set it.
 */
@Command(
    name = "mkdir",
    header = "Makes directories.",
    description =
        "With -buckets, makes a directory in which clients create very many files at the same"
            + " time: its entries spread over this many partitions of the store, and so over"
            + " servers.")
public final class MkdirCommand implements Callable<Integer> {
  private static final String BUCKETS = "user.acacia.buckets";

  @Mixin private ConfigurationOptions configuration = new ConfigurationOptions();

  @Option(
      names = "-buckets",
      paramLabel = "N",
      description = "A number up to 1024; the next power of two is taken.")
  private @Nullable Integer buckets;

  @Option(
      names = "-p",
      description = "Make the directories above as well; one that is there already is no failure.")
  private boolean parents;

  @Parameters(paramLabel = "PATH", arity = "1..*", description = "What to make.")
  private List<String> paths;

  @Override
  public Integer call() throws Exception {
    if (buckets != null && (buckets < 1 || buckets > Buckets.MOST)) {
      throw new CommandFailure("-buckets is a number from 1 to " + Buckets.MOST + ".");
    }
    Configuration conf = configuration.load();
    for (String path : paths) {
      Path directory = new Path(path);
      make(directory.getFileSystem(conf), directory);
    }
    return 0;
  }

  private void make(FileSystem fs, Path directory) throws IOException, CommandFailure {
    if (!parents) {
      if (fs.exists(directory)) {
        throw new CommandFailure(directory + " is there already.");
      }
      Path parent = fs.makeQualified(directory).getParent();
      if (parent != null && !fs.exists(parent)) {
        throw new CommandFailure(
            "There is no directory " + parent.toUri().getPath() + "; -p makes it as well.");
      }
    }
    fs.mkdirs(directory);
    if (buckets != null) {
      fs.setXAttr(directory, BUCKETS, buckets.toString().getBytes(StandardCharsets.UTF_8));
    }
  }
}
