package io.acaciafs.namenode.monitor.problems;

import io.acaciafs.namenode.monitor.DiskSpace;
import java.util.function.Consumer;

/** Whether the NameNode's own disks have room. */
public final class DiskChecks implements ProblemCheck {
  private static final double LEAST_FREE = 0.05;
  private static final long MIB = 1 << 20;

  private final DiskSpace disks;

  public DiskChecks(DiskSpace disks) {
    this.disks = disks;
  }

  @Override
  public void look(Consumer<Problem> found) {
    for (DiskSpace.Room room : disks.rooms()) {
      if (room.freeBytes() < disks.reservedBytes()
          || room.freeBytes() < LEAST_FREE * room.totalBytes()) {
        found.accept(
            new Problem(
                ProblemKind.DISK_NEARLY_FULL,
                room.folder(),
                room.folder()
                    + " has "
                    + room.freeBytes() / MIB
                    + " MiB left of "
                    + room.totalBytes() / MIB
                    + " MiB"));
      }
    }
  }
}
