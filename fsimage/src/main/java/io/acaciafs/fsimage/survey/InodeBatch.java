package io.acaciafs.fsimage.survey;

/**
 * Messages of inodes, one behind the other.
 *
 * @param bytes of all messages
 * @param ends where each of them ends
 * @param count how many there are
 */
public record InodeBatch(byte[] bytes, int[] ends, int count) {
  public int start(int index) {
    return index == 0 ? 0 : ends[index - 1];
  }

  public int length(int index) {
    return ends[index] - start(index);
  }
}
