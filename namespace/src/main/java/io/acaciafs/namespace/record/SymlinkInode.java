package io.acaciafs.namespace.record;

/**
 * A symbolic link. The NameNode never follows it: it tells the client where it leads.
 *
 * @param target as the client gave it; may be relative, may not exist, may be in another file
 *     system
 */
public record SymlinkInode(long id, Attributes attributes, String target) implements Inode {
  @Override
  public SymlinkInode with(Attributes newAttributes) {
    return new SymlinkInode(id, newAttributes, target);
  }
}
