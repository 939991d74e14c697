package io.acaciafs.namespace.record;

import io.acaciafs.kv.Reader;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Where new directories lie in the store; chosen when it is formatted, and kept in it. */
public enum RowKeyLayout {
  /** By a hash: load spreads over all servers from the start. */
  SPREAD,
  /** Beside directories with the same parent: a walk over a tree stays on few servers. */
  LOCALITY;

  /** HDFS's INodeId.ROOT_INODE_ID. */
  private static final long ROOT_ID = 16385;

  /**
   * @param label as people write it
   * @throws IllegalArgumentException for anything else
   */
  public static RowKeyLayout of(String label) {
    for (RowKeyLayout layout : values()) {
      if (layout.label().equals(label)) {
        return layout;
      }
    }
    throw new IllegalArgumentException(
        "The row-key layout is spread or locality, and not " + label);
  }

  /** The layout that a store was formatted with. */
  public static RowKeyLayout of(Reader store) {
    return decode(store.get(NamespaceKeys.layout()));
  }

  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** The locator of a new directory. */
  public Locator locate(DirectoryInode parent, long id) {
    return locate(parent.id() == ROOT_ID ? 0 : parent.locator().madeIn(), parent.id(), id);
  }

  /**
   * The same of directories that are made without their inodes.
   *
   * @param above id of the directory above the parent; 0: there is none
   */
  public Locator locate(long above, long parent, long id) {
    return this == SPREAD ? Locator.spread(id) : Locator.near(above, parent, id);
  }

  public byte[] encode() {
    return label().getBytes(StandardCharsets.US_ASCII);
  }

  /**
   * @param row null: a store that was never told
   */
  public static RowKeyLayout decode(byte @Nullable [] row) {
    return row == null ? SPREAD : of(new String(row, StandardCharsets.US_ASCII));
  }
}
