package io.acaciafs.namenode.fsck;

import java.io.IOException;
import java.io.OutputStream;
import java.security.PrivilegedExceptionAction;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DFSClient;
import org.apache.hadoop.hdfs.DFSInputStream;
import org.apache.hadoop.hdfs.DFSUtilClient;
import org.apache.hadoop.hdfs.client.HdfsClientConfigKeys;
import org.apache.hadoop.hdfs.protocol.ClientProtocol;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlocks;
import org.apache.hadoop.security.UserGroupInformation;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Copies what is left of a corrupt file to {@code /lost+found}: a directory with the file's path,
 * and in it a file for each run of blocks that can be read, named 0, 1 and so on. The corrupt file
 * stays where it is, as in HDFS. Used by one thread, which reads and writes data as a client of
 * this NameNode.
 *
 * <p>Source of the layout: HDFS 3.5's NamenodeFsck.copyBlocksToLostFound.
 */
final class LostAndFound {
  private static final Logger LOG = LoggerFactory.getLogger(LostAndFound.class);
  private static final String FOLDER = "/lost+found";
  private static final int BUFFER_BYTES = 1 << 16;
  private static final int RETRY_WINDOW_MS = 100;

  private final Configuration conf;
  private final ClientProtocol namespace;
  private final UserGroupInformation user;

  LostAndFound(Configuration conf, ClientProtocol namespace, UserGroupInformation user) {
    this.conf = new Configuration(conf);
    // a block that cannot be read is expected here
    this.conf.setInt(HdfsClientConfigKeys.Retry.WINDOW_BASE_KEY, RETRY_WINDOW_MS);
    this.namespace = namespace;
    this.user = user;
  }

  /**
   * @return whether all was saved that has a replica, or had been saved before
   */
  boolean save(String path, HdfsFileStatus file, LocatedBlocks blocks) {
    String target = FOLDER + path;
    try {
      makeFolder();
      if (namespace.getFileInfo(target) != null) {
        LOG.warn("Fsck does not save a file again path={} target={}", path, target);
        return true;
      }
      if (!namespace.mkdirs(target, file.getPermission(), true)) {
        throw new IOException("failed to create directory " + target);
      }
      return user.doAs((PrivilegedExceptionAction<Boolean>) () -> copy(path, target, blocks));
    } catch (IOException e) {
      LOG.warn("Fsck could not save the remains of a file path={}", path, e);
      return false;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  private void makeFolder() throws IOException {
    HdfsFileStatus folder = namespace.getFileInfo(FOLDER);
    if (folder == null) {
      namespace.mkdirs(FOLDER, FsPermission.getDirDefault(), true);
    } else if (!folder.isDirectory()) {
      throw new IOException("Cannot use " + FOLDER + ": a file has this name");
    }
  }

  private boolean copy(String path, String target, LocatedBlocks blocks) throws IOException {
    boolean isComplete = true;
    int chain = 0;
    try (DFSClient client = new DFSClient(DFSUtilClient.getNNAddress(conf), conf);
        DFSInputStream in = client.open(path)) {
      OutputStream out = null;
      try {
        for (LocatedBlock block : blocks.getLocatedBlocks()) {
          boolean isThere = block.getLocations().length > 0;
          if (isThere) {
            if (out == null) {
              out = client.create(target + "/" + chain++, true);
            }
            if (copy(in, block, out)) {
              continue;
            }
            isComplete = false;
          }
          close(out);
          out = null;
        }
      } finally {
        close(out);
      }
    }
    LOG.info("Fsck has saved the remains of a file path={} isComplete={}", path, isComplete);
    return isComplete;
  }

  private static void close(@Nullable OutputStream out) throws IOException {
    if (out != null) {
      out.close();
    }
  }

  private static boolean copy(DFSInputStream in, LocatedBlock block, OutputStream out)
      throws IOException {
    byte[] buffer = new byte[BUFFER_BYTES];
    long position = block.getStartOffset();
    long end = position + block.getBlockSize();
    while (position < end) {
      int wanted = (int) Math.min(buffer.length, end - position);
      try {
        in.readFully(position, buffer, 0, wanted);
      } catch (IOException e) {
        LOG.warn("Fsck could not copy a block block={}", block.getBlock(), e);
        return false;
      }
      out.write(buffer, 0, wanted);
      position += wanted;
    }
    return true;
  }
}
