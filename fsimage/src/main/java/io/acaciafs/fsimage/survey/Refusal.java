package io.acaciafs.fsimage.survey;

/** What of an image cannot be taken over. */
public enum Refusal {
  ERASURE_CODED_FILE("erasure-coded files"),
  ENCRYPTION_ZONE("encryption zones"),
  SNAPSHOT("directories with snapshots"),
  BLOCK_BEFORE_SEQUENTIAL_IDS("files with block ids from before Hadoop 2");

  private final String words;

  Refusal(String words) {
    this.words = words;
  }

  /** In plural. */
  public String words() {
    return words;
  }
}
