package io.acaciafs.fsimage;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.tools.offlineImageViewer.PBImageXmlWriter;

/** What Hadoop's own reader of images says of one. */
final class ImageText {
  private ImageText() {}

  static String of(Path image) throws IOException {
    ByteArrayOutputStream text = new ByteArrayOutputStream();
    try (RandomAccessFile file = new RandomAccessFile(image.toFile(), "r")) {
      new PBImageXmlWriter(new Configuration(), new PrintStream(text)).visit(file);
    }
    return text.toString(StandardCharsets.UTF_8);
  }
}
