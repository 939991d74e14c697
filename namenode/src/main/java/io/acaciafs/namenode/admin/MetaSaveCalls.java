package io.acaciafs.namenode.admin;

import io.acaciafs.blocks.BlockManager;
import io.acaciafs.kv.Store;
import io.acaciafs.namenode.monitor.RowCounts;
import io.acaciafs.namenode.reply.Callers;
import io.acaciafs.namenode.reply.PathsOfFiles;
import io.acaciafs.namenode.store.StoreTables;
import io.acaciafs.rpc.protocol.RpcCall;
import io.acaciafs.rpc.protocol.RpcProtocol;
import java.io.File;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.MetaSaveRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.MetaSaveResponseProto;
import org.jspecify.annotations.Nullable;

/**
 * Writes what is to be done about blocks into a file on the NameNode's machine, in the folder
 * hadoop.log.dir, as HDFS does.
 */
public final class MetaSaveCalls {
  /** As in getStats: some engines cannot say how many rows there are. */
  private static final long NOT_KNOWN = -1;

  private static final String LOG_FOLDER = "hadoop.log.dir";

  private final Callers callers;
  private final BlockManager blocks;
  private final Store store;
  private final RowCounts counts;

  /** Two writers of one file would mix their lines. */
  private final Object writing = new Object();

  public MetaSaveCalls(Callers callers, BlockManager blocks, Store store, Clock clock) {
    this.callers = callers;
    this.blocks = blocks;
    this.store = store;
    this.counts = new RowCounts(store, StoreTables.all(), clock);
  }

  public void register(RpcProtocol.Builder protocol) {
    protocol.blockingMethod("metaSave", MetaSaveRequestProto.class, this::metaSave);
  }

  private MetaSaveResponseProto metaSave(RpcCall call, MetaSaveRequestProto request)
      throws IOException {
    callers.checkSuperuser(call);
    Path file = fileIn(System.getProperty(LOG_FOLDER), request.getFilename());
    synchronized (writing) {
      try (PrintWriter out =
          new PrintWriter(Files.newBufferedWriter(file, StandardCharsets.UTF_8))) {
        write(out);
        if (out.checkError()) {
          throw new IOException("Cannot write " + file);
        }
      }
    }
    return MetaSaveResponseProto.getDefaultInstance();
  }

  /**
   * The file of a name, in the folder of the logs or below it. HDFS writes anywhere.
   *
   * @param folder null: not configured
   * @throws IOException when there is no such folder, or the name leads out of it
   */
  static Path fileIn(@Nullable String folder, String name) throws IOException {
    if (folder == null) {
      throw new IOException(
          "metaSave writes to the folder that the property "
              + LOG_FOLDER
              + " names, and there is none: start the NameNode with ACACIA_OPTS=-D"
              + LOG_FOLDER
              + "=FOLDER");
    }
    Path file = new File(folder, name).toPath();
    Path inFolder = Path.of(folder).normalize().relativize(file.normalize());
    if (inFolder.startsWith("..")) {
      throw new IOException("The file " + name + " is not in the folder " + folder);
    }
    return file;
  }

  private void write(PrintWriter out) {
    Long known = counts.of("inodes");
    long inodes = known == null ? NOT_KNOWN : known + 1; // the root has no row there
    long all = counts.of("blocks") == null ? NOT_KNOWN : counts.of("blocks");
    out.println(
        inodes
            + " files and directories, "
            + all
            + " blocks = "
            + (known == null ? NOT_KNOWN : inodes + all)
            + " total filesystem objects");
    blocks.metaSave(out, inodeId -> PathsOfFiles.pathOf(store, inodeId));
  }
}
