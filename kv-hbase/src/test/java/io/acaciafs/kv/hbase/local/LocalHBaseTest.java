package io.acaciafs.kv.hbase.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("hbase")
class LocalHBaseTest {
  @TempDir private Path folder;

  @Test
  void severalServersStartOnAnHdfsOfTheirOwnAndAllEndWithTheClose() throws Exception {
    List<ProcessHandle> children = new ArrayList<>();
    Path classPath = Path.of(System.getProperty("acacia.hbase.classpath"));
    try (LocalHBase hbase = LocalHBase.start(LocalHBaseOptions.of(folder, classPath, 2))) {
      hbase.awaitServers(2);
      assertThat(hbase.serverPids()).hasSize(2).doesNotHaveDuplicates();
      assertThat(folder.resolve("hdfs/name")).exists();
      hbase.serverPids().forEach(pid -> children.add(ProcessHandle.of(pid).orElseThrow()));
    }
    for (ProcessHandle child : children) {
      child.onExit().get(60, TimeUnit.SECONDS);
    }
    assertThat(children).noneMatch(ProcessHandle::isAlive);
  }

  @Test
  void aMissingClassPathIsNamed() {
    LocalHBaseOptions options = LocalHBaseOptions.of(folder, folder.resolve("none"), 1);
    assertThatThrownBy(() -> LocalHBase.start(options))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("class path of HBase")
        .hasMessageContaining(folder.resolve("none").toString());
  }
}
