package io.acaciafs.namenode.process;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Comparator;
import java.util.stream.Stream;

/** Work on files of this machine for the NameNode and its tools. Stateless. */
public final class LocalFiles {
  /** Of folders with what nobody but the NameNode's user may read: keys of tokens are there. */
  public static final FileAttribute<?> OWNER_ONLY =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));

  private LocalFiles() {}

  /** Deletes a folder and all files in it. Does nothing where there is none. */
  public static void deleteFolder(Path folder) throws IOException {
    if (!Files.exists(folder)) {
      return;
    }
    try (Stream<Path> paths = Files.walk(folder)) {
      for (Path path : paths.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(path);
      }
    }
  }

  /** What the operating system says of a file; for people. */
  public static String reason(FileSystemException e) {
    if (e.getReason() != null) {
      return e.getReason();
    }
    if (e instanceof NoSuchFileException) {
      return "No such file or directory";
    }
    if (e instanceof AccessDeniedException) {
      return "Permission denied";
    }
    if (e instanceof FileAlreadyExistsException) {
      return "File exists";
    }
    return e.getClass().getSimpleName();
  }
}
