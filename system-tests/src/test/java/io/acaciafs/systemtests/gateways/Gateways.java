package io.acaciafs.systemtests.gateways;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;

/** What the tests of gateways share. */
final class Gateways {
  /** Of the version that is published. */
  static final Path CLASS_PATH = Path.of(System.getProperty("acacia.gateway.classpath"));

  private static final byte[] DATA = "behind a gateway".getBytes(StandardCharsets.UTF_8);

  private Gateways() {}

  /** Writes through one file system, reads through the other, and both list the same. */
  static void assertSameFiles(FileSystem front, FileSystem behind) throws IOException {
    org.apache.hadoop.fs.Path folder = new org.apache.hadoop.fs.Path("/front/dir");
    org.apache.hadoop.fs.Path file = new org.apache.hadoop.fs.Path(folder, "file");
    assertThat(front.mkdirs(folder)).isTrue();
    try (FSDataOutputStream out = front.create(file)) {
      out.write(DATA);
    }
    assertThat(read(behind, file)).isEqualTo(DATA);
    assertThat(read(front, file)).isEqualTo(DATA);
    assertThat(front.rename(file, file.suffix("-renamed"))).isTrue();
    assertThat(names(front, folder))
        .isEqualTo(names(behind, folder))
        .containsExactly("file-renamed");
    assertThat(front.delete(folder, true)).isTrue();
    assertThat(behind.exists(folder)).isFalse();
  }

  private static byte[] read(FileSystem fs, org.apache.hadoop.fs.Path file) throws IOException {
    try (FSDataInputStream in = fs.open(file)) {
      return in.readAllBytes();
    }
  }

  private static List<String> names(FileSystem fs, org.apache.hadoop.fs.Path folder)
      throws IOException {
    return List.of(fs.listStatus(folder)).stream().map(each -> each.getPath().getName()).toList();
  }
}
