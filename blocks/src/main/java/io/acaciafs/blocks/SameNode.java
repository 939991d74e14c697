package io.acaciafs.blocks;

/**
 * Tells whether two storages belong to one DataNode, which keeps at most one replica of a block.
 */
@FunctionalInterface
interface SameNode {
  boolean test(int storage, int otherStorage);
}
