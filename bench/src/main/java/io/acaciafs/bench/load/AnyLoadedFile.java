package io.acaciafs.bench.load;

import io.acaciafs.bench.client.CallSource;
import io.acaciafs.bench.client.Method;
import io.acaciafs.bench.client.PathBuffer;
import io.acaciafs.bench.client.Slot;
import io.acaciafs.bench.client.Step;
import java.util.SplittableRandom;

/** Asks about loaded files, each as likely as any other, without end. */
public final class AnyLoadedFile implements CallSource {
  private final PathBuffer path = new PathBuffer();
  private final FileNames names = new FileNames();
  private final Method method;
  private final LevelTree shape;
  private final SplittableRandom random;

  /**
   * @param files how many were loaded, as one tree
   */
  public AnyLoadedFile(Method method, long files, long seed) {
    this.method = method;
    this.shape = LevelTree.of(files);
    this.random = new SplittableRandom(seed);
  }

  @Override
  public Step next(Slot slot) {
    int directory = shape.firstWithFiles();
    directory += random.nextInt(shape.directories() - directory);
    path.set(new byte[0]);
    appendDirectory(directory);
    path.append('/').append(names.name(directory, random.nextLong(shape.filesOf(directory))));
    slot.call(method, path);
    return Step.CALL;
  }

  private void appendDirectory(int directory) {
    if (directory != 0) {
      appendDirectory(shape.parentOf(directory));
      path.append('/').append(LoadedTree.directoryName(directory));
    }
  }
}
