package io.acaciafs.namenode.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.acaciafs.namenode.RunningNameNode;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.hadoop.fs.SafeModeAction;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.ipc.RemoteException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** dfsadmin -rollEdits begins a segment of the commit log. */
class EditLogCallsTest {
  private static List<String> segments(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      return files
          .map(file -> file.getFileName().toString())
          .filter(name -> name.endsWith(".commits"))
          .sorted()
          .toList();
    }
  }

  @Test
  void theAnswerNamesTheSegmentThatBegins(@TempDir File folder) throws Exception {
    try (RunningNameNode nameNode = new RunningNameNode(folder, Map.of())) {
      DistributedFileSystem fs = nameNode.fileSystem();
      fs.mkdirs(new org.apache.hadoop.fs.Path("/a"));
      long first = fs.rollEdits();
      assertThat(first).isGreaterThan(1);
      assertThat(segments(folder.toPath())).last().isEqualTo(String.format("%016x.commits", first));
      fs.mkdirs(new org.apache.hadoop.fs.Path("/b"));
      assertThat(fs.rollEdits()).isGreaterThan(first);
    }
  }

  @Test
  void itIsRefusedAsByHdfs(@TempDir File folder) throws Exception {
    try (RunningNameNode nameNode = new RunningNameNode(folder, Map.of());
        DistributedFileSystem mallory = nameNode.fileSystem("mallory")) {
      assertThatThrownBy(mallory::rollEdits)
          .hasMessageContaining("Superuser privilege is required for operation rollEditLog");
      nameNode.fileSystem().setSafeMode(SafeModeAction.ENTER);
      assertThatThrownBy(nameNode.fileSystem()::rollEdits)
          .isInstanceOf(RemoteException.class)
          .hasMessageContaining("Log not rolled. Name node is in safe mode.");
    }
  }
}
