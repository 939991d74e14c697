package io.acaciafs.namenode.image;

import io.acaciafs.blocks.ClusterIdentity;
import io.acaciafs.fsimage.ImageExport;
import io.acaciafs.fsimage.format.ImageProgress;
import io.acaciafs.kv.StoreException;
import io.acaciafs.kv.Table;
import io.acaciafs.kv.rocksdb.RocksDbOptions;
import io.acaciafs.kv.rocksdb.RocksDbStore;
import io.acaciafs.namenode.LocalFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Makes images of a store that is in use, from a copy whose files are links to the store's files.
 * The image has each operation completely or not at all, as a backup has.
 *
 * <p>For one thread at a time.
 */
public final class ImageMaker {
  /** The copy is read once, in the order of its keys. */
  private static final long CACHE_BYTES = 16 << 20;

  private final RocksDbStore store;
  private final ClusterIdentity identity;
  private final Set<Table> tables;
  private final Path folder;

  /**
   * @param tables of the store
   * @param folder for the copy and the image, on the disk of the store; need not be there
   */
  public ImageMaker(RocksDbStore store, ClusterIdentity identity, Set<Table> tables, Path folder) {
    this.store = store;
    this.identity = identity;
    this.tables = Set.copyOf(tables);
    this.folder = folder;
  }

  /**
   * Makes an image of the namespace as it is now.
   *
   * @return the file, with its checksum in a file beside it, as Hadoop's NameNode saves it; {@link
   *     #remove} removes both
   * @throws IOException with a sentence when it cannot be made
   */
  Path make() throws IOException {
    remove();
    try {
      Path copy = Files.createDirectories(folder).resolve("store");
      store.checkpoint(copy);
      RocksDbOptions options = RocksDbOptions.defaults().withBlockCacheBytes(CACHE_BYTES);
      Path image = folder.resolve("image");
      try (RocksDbStore copied = RocksDbStore.open(copy, tables, options)) {
        new ImageExport(copied, identity).run(image, ImageProgress.NONE);
      }
      try (Stream<Path> files = Files.list(image.resolve("current"))) {
        return files
            .filter(file -> file.getFileName().toString().matches("fsimage_\\d+"))
            .findFirst()
            .orElseThrow(() -> new IOException("The export made no image in " + image));
      }
    } catch (StoreException e) {
      throw new IOException("The store cannot be copied: " + e.getMessage(), e);
    }
  }

  /** Removes what {@link #make} has made, and what a process that was killed has left. */
  void remove() throws IOException {
    LocalFiles.deleteFolder(folder);
  }
}
