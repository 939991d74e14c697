package io.acaciafs.namenode.reply;

/** What HDFS does and Acacia does not do yet is refused in words that say so. */
public final class NotYet {
  private NotYet() {}

  /** Clients see the same class when an HDFS feature is switched off. */
  public static UnsupportedOperationException refusal(String what) {
    return new UnsupportedOperationException("Acacia does not support " + what + " yet");
  }
}
