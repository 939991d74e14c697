package io.acaciafs.fsimage.format;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.hadoop.hdfs.server.namenode.FsImageProto.StringTableSection;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Sections are found by the places that it tells. */
class SectionWriterTest {
  private static final byte[] MEBIBYTE = new byte[1 << 20];

  @Test
  void placeIsTheLengthOfTheFile(@TempDir Path folder) throws Exception {
    Path first = folder.resolve("first");
    Path second = folder.resolve("second");
    long end;
    try (SectionWriter writer = new SectionWriter(first)) {
      writer.writeRaw(new byte[10]);
      for (int entries : new int[] {0, 1, Integer.MAX_VALUE}) {
        writer.write(StringTableSection.newBuilder().setNumEntry(entries).build());
      }
      end = writer.position();
    }
    assertThat(end).isEqualTo(Files.size(first));
    try (SectionWriter writer = new SectionWriter(second)) {
      writer.writeRaw(new byte[3]);
      writer.append(first);
      writer.writeRaw(new byte[3]);
      end = writer.position();
    }
    assertThat(end).isEqualTo(Files.size(second)).isEqualTo(Files.size(first) + 6);
  }

  @Test
  void fileMayBeLargerThanTwoGibibytes() throws Exception {
    try (SectionWriter writer = new SectionWriter(OutputStream.nullOutputStream())) {
      for (int i = 0; i < 2100; i++) {
        writer.writeRaw(MEBIBYTE);
      }
      assertThat(writer.position()).isEqualTo(2100L << 20);
    }
  }
}
