package io.acaciafs.tools.common;

import io.acaciafs.namenode.process.LocalFiles;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;

/**
 * Makes folders that a user named. Only their owner may use them, because they hold a file system.
 * Stateless.
 */
public final class Folders {
  private static final FileAttribute<?> OWNER_ONLY =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));

  private Folders() {}

  /**
   * Makes a folder and those above it, where they are not there.
   *
   * @return the folder
   * @throws CommandFailure with the system's reason when it cannot be made
   */
  public static Path create(Path folder) throws IOException, CommandFailure {
    try {
      return Files.createDirectories(folder, OWNER_ONLY);
    } catch (FileSystemException e) {
      String reason = LocalFiles.reason(e);
      throw new CommandFailure("Cannot make the folder " + folder + ": " + reason + ".", e);
    }
  }
}
