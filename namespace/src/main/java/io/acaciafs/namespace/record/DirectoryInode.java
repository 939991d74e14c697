package io.acaciafs.namespace.record;

/** A directory. Its entries lie below its locator. */
public record DirectoryInode(long id, Locator locator, Attributes attributes) implements Inode {
  @Override
  public DirectoryInode with(Attributes newAttributes) {
    return new DirectoryInode(id, locator, newAttributes);
  }
}
