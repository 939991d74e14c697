package io.acaciafs.namespace.context;

import io.acaciafs.kv.Key;
import io.acaciafs.namespace.record.DirectoryInode;
import io.acaciafs.namespace.record.Inode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What an attempt of an operation notes about itself besides its writes: for the checks before its
 * commit, and for what happens after it. Used by one thread at a time.
 */
public final class CommitNotes {
  private @Nullable IOException refusal;
  private @Nullable String renewedBeforeCommit;
  private @Nullable String renewedAfterCommit;
  private boolean beganRecovery;
  private @Nullable DirectoryInode newestDirectory;
  private @Nullable Inode subject;
  private Set<Long> changedDirectories = Set.of();
  private List<LostName> lostNames = List.of();

  /**
   * A directory that was renamed or removed.
   *
   * @param entry the row that it had
   */
  public record LostName(Key entry, DirectoryInode directory) {}

  public void refuseAfterCommit(IOException newRefusal) {
    refusal = newRefusal;
  }

  /** Thrown after the commit; null where the operation succeeds. */
  public @Nullable IOException refusal() {
    return refusal;
  }

  public void renewBeforeCommit(String clientName) {
    renewedBeforeCommit = clientName;
  }

  /** The client whose lease counts as renewed right before the commit; null for none. */
  public @Nullable String renewedBeforeCommit() {
    return renewedBeforeCommit;
  }

  public void renewAfterCommit(String clientName) {
    renewedAfterCommit = clientName;
  }

  /** The client whose lease counts as renewed after the commit; null for none. */
  public @Nullable String renewedAfterCommit() {
    return renewedAfterCommit;
  }

  public void recoveryBegins() {
    beganRecovery = true;
  }

  /** Whether a file waits from now on to be closed without its writer. */
  public boolean beganRecovery() {
    return beganRecovery;
  }

  public void added(DirectoryInode directory) {
    newestDirectory = directory;
  }

  /** The last directory that the operation added; null for none. */
  public @Nullable DirectoryInode newestDirectory() {
    return newestDirectory;
  }

  public void isAbout(Inode inode) {
    subject = inode;
  }

  /** The inode that the operation wrote last, or else found last; null for none. */
  public @Nullable Inode subject() {
    return subject;
  }

  public void changes(Inode inode) {
    if (inode instanceof DirectoryInode) {
      if (changedDirectories.isEmpty()) {
        changedDirectories = new HashSet<>();
      }
      changedDirectories.add(inode.id());
    }
  }

  public void losesName(Key entry, Inode inode) {
    if (inode instanceof DirectoryInode directory) {
      if (lostNames.isEmpty()) {
        lostNames = new ArrayList<>();
      }
      lostNames.add(new LostName(entry, directory));
    }
  }

  /** Directories that are not found any more where they were. */
  public List<LostName> lostNames() {
    return lostNames;
  }

  /** Ids of directories whose own rows the operation writes; not of new ones. */
  public Set<Long> changedDirectories() {
    return changedDirectories;
  }
}
