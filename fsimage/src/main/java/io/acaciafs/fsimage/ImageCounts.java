package io.acaciafs.fsimage;

import io.acaciafs.namespace.record.DirectoryInode;
import io.acaciafs.namespace.record.FileBlock;
import io.acaciafs.namespace.record.FileInode;
import io.acaciafs.namespace.record.Inode;
import io.acaciafs.namespace.record.SymlinkInode;

/** What a namespace consists of. For one thread. */
public final class ImageCounts {
  private long files;
  private long directories;
  private long symlinks;
  private long openFiles;
  private long blocks;
  private long highestGenerationStamp;

  void add(Inode inode) {
    if (inode instanceof FileInode file) {
      files++;
      blocks += file.blocks().size();
      openFiles += file.isUnderConstruction() ? 1 : 0;
      for (FileBlock block : file.blocks()) {
        highestGenerationStamp = Math.max(highestGenerationStamp, block.generationStamp());
      }
    } else if (inode instanceof DirectoryInode) {
      directories++;
    } else if (inode instanceof SymlinkInode) {
      symlinks++;
    }
  }

  public long inodes() {
    return files + directories + symlinks;
  }

  public long files() {
    return files;
  }

  /** With the root. */
  public long directories() {
    return directories;
  }

  public long symlinks() {
    return symlinks;
  }

  public long openFiles() {
    return openFiles;
  }

  public long blocks() {
    return blocks;
  }

  long highestGenerationStamp() {
    return highestGenerationStamp;
  }
}
