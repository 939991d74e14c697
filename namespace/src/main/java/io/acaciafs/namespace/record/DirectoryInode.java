package io.acaciafs.namespace.record;

/** A directory. Its entries lie below its locator, in its buckets. */
public record DirectoryInode(long id, Locator locator, Attributes attributes, Buckets buckets)
    implements Inode {

  /** With one bucket. */
  public DirectoryInode(long id, Locator locator, Attributes attributes) {
    this(id, locator, attributes, Buckets.ONE);
  }

  @Override
  public DirectoryInode with(Attributes newAttributes) {
    return new DirectoryInode(id, locator, newAttributes, buckets);
  }

  public DirectoryInode with(Buckets newBuckets) {
    return new DirectoryInode(id, locator, attributes, newBuckets);
  }
}
