package io.acaciafs.bench.workload;

import static org.assertj.core.api.Assertions.assertThat;

import io.acaciafs.bench.client.PathBuffer;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class LayoutTest {
  private final PathBuffer path = new PathBuffer();

  private List<String> directories(Layout layout) {
    return IntStream.range(0, layout.directories())
        .mapToObj(i -> layout.directory(path, i).toString())
        .toList();
  }

  @Test
  void directoriesLieOnTheLevelAskedFor() {
    List<String> directories = directories(new Layout("/root", 100, 3));
    assertThat(directories).doesNotHaveDuplicates().allMatch(each -> each.split("/").length == 5);
    assertThat(
            directories.stream().map(each -> each.substring(0, each.lastIndexOf('/'))).distinct())
        .as("parents")
        .hasSizeBetween(15, 30);
  }

  @Test
  void oneLevelIsAllDirectoriesSideBySide() {
    assertThat(directories(new Layout("/root", 12, 1)))
        .hasSize(12)
        .startsWith("/root/d00", "/root/d01")
        .endsWith("/root/d11");
  }

  @Test
  void filesGoToEachDirectoryInTurn() {
    Layout layout = new Layout("/root", 2, 1);
    assertThat(layout.file(path, 'f', 0)).hasToString("/root/d00/f0000000");
    assertThat(layout.file(path, 'f', 1)).hasToString("/root/d01/f0000000");
    assertThat(layout.file(path, 'f', 2)).hasToString("/root/d00/f0000001");
    assertThat(layout.entry(path, 1, 'c', 3, 4)).hasToString("/root/d01/c0000003-0000004");
  }
}
