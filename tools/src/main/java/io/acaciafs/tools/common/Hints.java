package io.acaciafs.tools.common;

import io.acaciafs.namenode.process.LocalFiles;
import java.net.BindException;
import java.net.UnknownHostException;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Turns what went wrong into one sentence that says what to do about it. Stateless. */
public final class Hints {
  private Hints() {}

  /** The sentence for a failure; for an unknown one its own message. */
  public static String sentence(Throwable failure) {
    boolean isExplained = false;
    for (Throwable t = failure; t != null; t = t.getCause()) {
      String sentence = isExplained && t instanceof FileSystemException ? null : known(t);
      if (sentence != null) {
        return sentence;
      }
      isExplained |= t.getCause() != null && !repeats(t, t.getCause());
    }
    String message = firstLine(failure);
    return message.isEmpty()
        ? failure.getClass().getSimpleName() + " (run again with ACACIA_DEBUG=1 for the details)"
        : message;
  }

  /** Whether an exception says nothing that its cause does not say. */
  private static boolean repeats(Throwable outer, Throwable cause) {
    return outer.getMessage() == null || outer.getMessage().equals(cause.toString());
  }

  /** Whether a server could not listen because another one does. */
  public static boolean isPortInUse(Throwable failure) {
    for (Throwable t = failure; t != null; t = t.getCause()) {
      if (lowerCase(t).contains("address already in use")) {
        return true;
      }
    }
    return false;
  }

  private static @Nullable String known(Throwable t) {
    if (t instanceof CommandFailure) {
      return t.getMessage();
    }
    String text = lowerCase(t);
    boolean isAnotherMachines = text.contains("cannot assign") || text.contains("can't assign");
    if (t instanceof BindException
        || isAnotherMachines
        || text.contains("address already in use")) {
      return isAnotherMachines
          ? "This machine does not have the address to listen on: choose one of its own. "
              + firstLine(t)
          : "The port is in use already: stop the program that listens there, or choose another"
              + " port (0 takes any free one). "
              + firstLine(t);
    }
    if (t instanceof OverlappingFileLockException || isLock(text)) {
      return "The folder is in use by another process: stop that one first. " + firstLine(t);
    }
    if (t instanceof AccessDeniedException) {
      return "No permission to write " + firstLine(t) + ".";
    }
    if (t instanceof NoSuchFileException) {
      return "There is no " + firstLine(t) + ".";
    }
    if (t instanceof FileSystemException e && e.getFile() != null) {
      return "Cannot use " + e.getFile() + ": " + LocalFiles.reason(e) + ".";
    }
    if (t instanceof UnknownHostException) {
      return "The host name is not known: " + firstLine(t) + ".";
    }
    return null;
  }

  private static boolean isLock(String text) {
    return text.contains("cannot lock storage")
        || text.contains("lock hold by")
        || text.contains("while lock file");
  }

  private static String lowerCase(Throwable t) {
    return firstLine(t).toLowerCase(Locale.ROOT);
  }

  private static String firstLine(Throwable t) {
    return t.getMessage() == null ? "" : t.getMessage().lines().findFirst().orElse("");
  }
}
