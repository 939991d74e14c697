package io.acaciafs.namenode.fsck;

import io.acaciafs.blocks.BlockInspector;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.hadoop.hdfs.protocol.ClientProtocol;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.apache.hadoop.hdfs.protocol.LocatedBlocks;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Does about bad files what was asked for. What fails is logged. Used by one thread. */
final class FileRepairs {
  private static final Logger LOG = LoggerFactory.getLogger(FileRepairs.class);
  private static final long PATIENCE_SECONDS = 60;

  private final FsckOptions options;
  private final ClientProtocol client;
  private final LostAndFound lostAndFound;
  private final BlockInspector blocks;
  private boolean hasFailed;

  FileRepairs(
      FsckOptions options,
      ClientProtocol client,
      LostAndFound lostAndFound,
      BlockInspector blocks) {
    this.options = options;
    this.client = client;
    this.lostAndFound = lostAndFound;
    this.blocks = blocks;
  }

  /** Whether something could not be done. */
  boolean hasFailed() {
    return hasFailed;
  }

  /** Blocks of a closed file are missing or corrupt. */
  void damaged(String path, HdfsFileStatus file, LocatedBlocks located) {
    if (options.has(FsckOptions.Flag.MOVE)) {
      hasFailed |= !lostAndFound.save(path, file, located);
    }
    if (options.has(FsckOptions.Flag.DELETE)) {
      delete(path);
    }
  }

  private void delete(String path) {
    try {
      client.delete(path, true);
      LOG.info("Fsck has deleted a corrupt file path={}", path);
    } catch (IOException e) {
      LOG.warn("Fsck could not delete a corrupt file path={}", path, e);
      hasFailed = true;
    }
  }

  /**
   * @return how many of the blocks are to be copied
   */
  int misReplicated(String path, List<Long> blockIds) {
    int queued = 0;
    if (options.has(FsckOptions.Flag.REPLICATE)) {
      for (long blockId : blockIds) {
        queued += lookAgain(path, blockId) ? 1 : 0;
      }
    }
    return queued;
  }

  private boolean lookAgain(String path, long blockId) {
    try {
      return blocks.lookAgain(blockId).get(PATIENCE_SECONDS, TimeUnit.SECONDS);
    } catch (ExecutionException | TimeoutException e) {
      LOG.warn("Fsck could not queue a block path={} blockId={}", path, blockId, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    hasFailed = true;
    return false;
  }
}
