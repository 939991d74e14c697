package io.acaciafs.kv.raft.copy;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/** Whether files on two servers begin with the same bytes. Stateless. */
final class FileDigest {
  private static final int BUFFER_BYTES = 1 << 18;

  private FileDigest() {}

  /**
   * SHA-256 of the beginning of a file.
   *
   * @param length in bytes
   * @throws EOFException where the file is shorter
   */
  static byte[] of(Path file, long length) throws IOException {
    MessageDigest digest = sha256();
    byte[] buffer = new byte[BUFFER_BYTES];
    try (InputStream bytes = Files.newInputStream(file)) {
      for (long left = length; left > 0; ) {
        int read = bytes.read(buffer, 0, (int) Math.min(left, buffer.length));
        if (read < 0) {
          throw new EOFException(file + " ends " + left + " bytes before " + length);
        }
        digest.update(buffer, 0, read);
        left -= read;
      }
    }
    return digest.digest();
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("Every Java has SHA-256", e);
    }
  }
}
