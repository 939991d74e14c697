package io.acaciafs.tools;

import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Makes folders that a user named. Stateless. */
final class Folders {
  private Folders() {}

  /**
   * Makes a folder and those above it, where they are not there.
   *
   * @return the folder
   * @throws CommandFailure with the system's reason when it cannot be made
   */
  static Path create(Path folder) throws IOException, CommandFailure {
    try {
      return Files.createDirectories(folder);
    } catch (FileSystemException e) {
      String reason = Hints.reason(e);
      throw new CommandFailure("Cannot make the folder " + folder + ": " + reason + ".", e);
    }
  }
}
