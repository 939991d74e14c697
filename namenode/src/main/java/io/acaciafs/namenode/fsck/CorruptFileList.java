package io.acaciafs.namenode.fsck;

import io.acaciafs.blocks.record.BlockReplicas;
import io.acaciafs.blocks.record.MissingBlocks;
import java.io.IOException;
import java.io.PrintWriter;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DFSUtil;
import org.apache.hadoop.hdfs.protocol.Block;

/**
 * Lists the unreadable blocks, with their files, all in one answer: a page of them is in memory at
 * a time. {@code DFSck} asks again until it is told that there are no more, and gives what it was
 * told after {@code Cookie:}, which it wants to be a small number. So every request but the first
 * has the empty answer. Used by one thread.
 */
final class CorruptFileList {
  private final FsckServices services;
  private final FsckOptions options;
  private final PrintWriter out;

  CorruptFileList(FsckServices services, FsckOptions options, PrintWriter out) {
    this.services = services;
    this.options = options;
    this.out = out;
  }

  void print() throws IOException {
    if (options.skipCorrupt() != null) {
      end(options.skipCorrupt(), "no more");
      return;
    }
    int found = 0;
    String cookie = null;
    MissingBlocks page;
    do {
      page = services.blocks().missingBlocks(cookie);
      cookie = page.cookie();
      for (MissingBlocks.Missing missing : page.blocks()) {
        String path = services.pathOfFile().apply(missing.fileId());
        BlockReplicas block = services.blocks().inspector().inspect(missing.blockId());
        if (path != null && isBelow(path) && block != null) {
          out.println(
              Block.BLOCK_FILE_PREFIX + missing.blockId() + "\t" + block.wanted() + "\t" + path);
          found++;
        }
      }
      if (out.checkError()) {
        throw new IOException("Nobody reads the list of corrupt files");
      }
    } while (!page.blocks().isEmpty());
    end(Integer.toString(found), found == 0 ? "no" : Integer.toString(found));
  }

  private void end(String cookie, String howMany) {
    out.println("Cookie:\t" + cookie);
    out.println(
        "\n\nThe filesystem under path '" + options.path() + "' has " + howMany + " CORRUPT files");
    out.println();
  }

  private boolean isBelow(String path) {
    String top = options.path();
    return top.isEmpty() || DFSUtil.isParentEntry(path, new Path(top).toString());
  }
}
