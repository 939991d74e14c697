package io.acaciafs.systemtests.harness;

import java.io.IOException;
import java.util.Random;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/** What a test's file holds: bytes that a seed determines. */
public record Content(long seed, int lengthBytes) {

  /** The bytes. */
  public byte[] bytes() {
    byte[] bytes = new byte[lengthBytes];
    new Random(seed).nextBytes(bytes);
    return bytes;
  }

  /** Creates a file that holds them. */
  public void write(FileSystem fs, Path file) throws IOException {
    try (FSDataOutputStream out = fs.create(file, false)) {
      out.write(bytes());
    }
  }

  /** All bytes of a file. */
  public static byte[] read(FileSystem fs, Path file) throws IOException {
    try (FSDataInputStream in = fs.open(file)) {
      return in.readAllBytes();
    }
  }
}
