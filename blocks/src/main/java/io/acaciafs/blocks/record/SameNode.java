package io.acaciafs.blocks.record;

/**
 * Tells whether two storages belong to one DataNode, which keeps at most one replica of a block.
 */
@FunctionalInterface
public interface SameNode {
  boolean test(int storage, int otherStorage);
}
