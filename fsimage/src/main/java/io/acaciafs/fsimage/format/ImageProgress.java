package io.acaciafs.fsimage.format;

/** Is told how far a long job is. Called by one thread at a time. */
public interface ImageProgress {
  /** For nobody. */
  ImageProgress NONE =
      new ImageProgress() {
        @Override
        public void begin(String step) {}

        @Override
        public void advance(long inodes, double fraction) {}
      };

  /** A step begins. */
  void begin(String step);

  /**
   * @param inodes in this step
   * @param fraction of this step, 0 to 1
   */
  void advance(long inodes, double fraction);
}
