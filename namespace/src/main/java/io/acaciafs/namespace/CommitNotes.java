package io.acaciafs.namespace;

import io.acaciafs.namespace.record.DirectoryInode;
import io.acaciafs.namespace.record.Inode;
import java.io.IOException;
import java.util.HashSet;
import java.util.Set;

/**
 * What an attempt of an operation notes about itself besides its writes: for the checks before its
 * commit, and for what happens after it. Used by one thread at a time.
 */
final class CommitNotes {
  private IOException refusal;
  private String renewedBeforeCommit;
  private String renewedAfterCommit;
  private boolean beganRecovery;
  private DirectoryInode newestDirectory;
  private Inode subject;
  private Set<Long> changedDirectories = Set.of();

  void refuseAfterCommit(IOException newRefusal) {
    refusal = newRefusal;
  }

  /** Thrown after the commit; null where the operation succeeds. */
  IOException refusal() {
    return refusal;
  }

  void renewBeforeCommit(String clientName) {
    renewedBeforeCommit = clientName;
  }

  /** The client whose lease counts as renewed right before the commit; null for none. */
  String renewedBeforeCommit() {
    return renewedBeforeCommit;
  }

  void renewAfterCommit(String clientName) {
    renewedAfterCommit = clientName;
  }

  /** The client whose lease counts as renewed after the commit; null for none. */
  String renewedAfterCommit() {
    return renewedAfterCommit;
  }

  void recoveryBegins() {
    beganRecovery = true;
  }

  /** Whether a file waits from now on to be closed without its writer. */
  boolean beganRecovery() {
    return beganRecovery;
  }

  void added(DirectoryInode directory) {
    newestDirectory = directory;
  }

  /** The last directory that the operation added; null for none. */
  DirectoryInode newestDirectory() {
    return newestDirectory;
  }

  void isAbout(Inode inode) {
    subject = inode;
  }

  /** The inode that the operation wrote last, or else found last; null for none. */
  Inode subject() {
    return subject;
  }

  void changes(Inode inode) {
    if (inode instanceof DirectoryInode) {
      if (changedDirectories.isEmpty()) {
        changedDirectories = new HashSet<>();
      }
      changedDirectories.add(inode.id());
    }
  }

  /** Ids of directories whose own rows the operation writes; not of new ones. */
  Set<Long> changedDirectories() {
    return changedDirectories;
  }
}
