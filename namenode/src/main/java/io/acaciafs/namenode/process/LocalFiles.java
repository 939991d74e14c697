package io.acaciafs.namenode.process;

import java.io.IOException;
import java.io.UncheckedIOException;
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

  /** The bytes of all files in a folder that may change meanwhile, as far as they can be seen. */
  public static long sizeOf(Path folder) {
    long bytes = 0;
    try (Stream<Path> paths = Files.walk(folder)) {
      for (Path path : (Iterable<Path>) paths::iterator) {
        bytes += path.toFile().isFile() ? path.toFile().length() : 0;
      }
    } catch (IOException | UncheckedIOException e) {
      return bytes; // it was not there yet, or a file was moved
    }
    return bytes;
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
