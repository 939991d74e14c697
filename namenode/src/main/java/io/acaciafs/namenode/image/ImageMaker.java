package io.acaciafs.namenode.image;

import io.acaciafs.blocks.ClusterIdentity;
import io.acaciafs.fsimage.ImageCounts;
import io.acaciafs.fsimage.ImageExport;
import io.acaciafs.fsimage.format.ImageProgress;
import io.acaciafs.kv.StoreException;
import io.acaciafs.kv.engine.Checkpoints;
import io.acaciafs.kv.engine.EngineStore;
import io.acaciafs.namenode.process.LocalFiles;
import io.acaciafs.namenode.process.RunningWork;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/**
 * Makes images of a store that is in use, from a checkpoint of it. The image has each operation
 * completely or not at all, as a backup has.
 *
 * <p>For one thread at a time.
 */
public final class ImageMaker {
  private final Checkpoints checkpoints;
  private final ClusterIdentity identity;
  private final Path folder;
  private final RunningWork running;

  /**
   * @param folder for the copy and the image, on the disk of the store; need not be there
   * @param running shows images that are being made
   */
  public ImageMaker(
      Checkpoints checkpoints, ClusterIdentity identity, Path folder, RunningWork running) {
    this.checkpoints = checkpoints;
    this.identity = identity;
    this.folder = folder;
    this.running = running;
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
    Path image = folder.resolve("image");
    write(image, false, "Image", "for -fetchImage");
    try (Stream<Path> files = Files.list(image.resolve("current"))) {
      return files
          .filter(file -> file.getFileName().toString().matches("fsimage_\\d+"))
          .findFirst()
          .orElseThrow(() -> new IOException("The export made no image in " + image));
    }
  }

  /**
   * Makes a folder, from which Hadoop's NameNode starts, of the namespace as it is now. {@link
   * #remove} has removed what was made before, and removes what is needed only meanwhile.
   *
   * @param target a name directory that is not there or has nothing in it
   * @throws IOException with a sentence when it cannot be made, as during a rolling upgrade
   */
  ImageCounts export(Path target) throws IOException {
    return write(target, true, "Export", "to " + target);
  }

  private ImageCounts write(Path target, boolean isToStartFrom, String name, String detail)
      throws IOException {
    try (RunningWork.Handle handle = running.begin(name, detail)) {
      handle.report(RunningWork.Progress.of("copying the store"));
      Path copy = Files.createDirectories(folder, LocalFiles.OWNER_ONLY).resolve("store");
      checkpoints.make(copy);
      try (EngineStore copied = checkpoints.open(copy)) {
        ImageExport export = new ImageExport(copied, identity);
        if (isToStartFrom) {
          export.requireNoRollingUpgrade();
        }
        return export.run(target, new Progress(handle));
      }
    } catch (StoreException e) {
      throw new IOException("The store cannot be copied: " + e.getMessage(), e);
    }
  }

  /** Reports to the page of work how far the image is. */
  private static final class Progress implements ImageProgress {
    private final RunningWork.Handle handle;
    private String step = "";

    private Progress(RunningWork.Handle handle) {
      this.handle = handle;
    }

    @Override
    public void begin(String newStep) {
      step = newStep;
      handle.report(RunningWork.Progress.of(step));
    }

    @Override
    public void advance(long inodes, double fraction) {
      long all = fraction > 0 ? Math.round(inodes / fraction) : -1;
      handle.report(new RunningWork.Progress(step, inodes, all, "files and directories"));
    }
  }

  /** Removes what {@link #make} has made, and what a process that was killed has left. */
  void remove() throws IOException {
    LocalFiles.deleteFolder(folder);
  }
}
