package io.acaciafs.systemtests.suites;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.List;
import org.apache.hadoop.fs.FSMainOperationsBaseTest;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.security.AccessControlException;
import org.junit.jupiter.api.Test;

/** Hadoop's suite {@code FSMainOperationsBaseTest}, as a user whom permissions bind. */
class FsMainOperationsTest extends FSMainOperationsBaseTest {

  FsMainOperationsTest() {
    super("/tmp/FsMainOperationsTest");
  }

  @Override
  protected FileSystem createFileSystem() {
    return SharedCluster.userFileSystem();
  }

  @Override
  protected Path getDefaultWorkingDirectory() {
    return fSys.getHomeDirectory();
  }

  /** HDFS refuses to look below a file as well, where the suite expects only "not there". */
  @Override
  @Test
  public void testMkdirsFailsForSubdirectoryOfExistingFile() throws IOException {
    Path file = getTestRootPath(fSys, "test/hadoop/file");
    fSys.create(file).close();
    for (String below : List.of("sub", "deep/sub/dir")) {
      Path directory = new Path(file, below);
      assertThatThrownBy(() -> fSys.mkdirs(directory)).isInstanceOf(IOException.class);
      assertThatThrownBy(() -> fSys.getFileStatus(directory))
          .isInstanceOf(AccessControlException.class);
    }
  }
}
