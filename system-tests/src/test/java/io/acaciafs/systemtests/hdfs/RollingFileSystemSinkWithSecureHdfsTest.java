package io.acaciafs.systemtests.hdfs;

import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.apache.hadoop.metrics2.sink.TestRollingFileSystemSinkWithSecureHdfs;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.extension.ExtendWith;

/** Hadoop's tests of the same name, which write files of settings to the class path. */
@ExtendWith(LoginsEnd.class)
class RollingFileSystemSinkWithSecureHdfsTest extends TestRollingFileSystemSinkWithSecureHdfs {
  private static final String CLASSES = "test.build.classes";

  private static Path classes() throws URISyntaxException {
    return Path.of(
        RollingFileSystemSinkWithSecureHdfsTest.class
            .getProtectionDomain()
            .getCodeSource()
            .getLocation()
            .toURI());
  }

  @BeforeAll
  static void tellWhereClassesAre() throws URISyntaxException {
    System.setProperty(CLASSES, classes().toString());
  }

  @AfterAll
  static void removeSettings() throws IOException, URISyntaxException {
    System.clearProperty(CLASSES);
    List<Path> written;
    try (Stream<Path> files = Files.list(classes())) {
      written =
          files
              .filter(file -> file.getFileName().toString().startsWith("hadoop-metrics2-test"))
              .toList();
    }
    for (Path file : written) {
      Files.delete(file);
    }
  }
}
