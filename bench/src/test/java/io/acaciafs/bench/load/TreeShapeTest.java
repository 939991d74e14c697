package io.acaciafs.bench.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TreeShapeTest {

  @ParameterizedTest
  @ValueSource(longs = {1, 29, 1000, 100_000, 1_000_003})
  void everyDirectoryAndFileHasOnePlace(long files) {
    everyDirectoryAndFileHasOnePlace(LevelTree.of(files));
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 154, 369, 370, 5000})
  void sameWithGivenDirectories(int directories) {
    TreeShape shape = LevelTree.of(100_000, directories);
    assertThat(shape.directories() - 1).isBetween(directories - 2, directories);
    everyDirectoryAndFileHasOnePlace(shape);
  }

  @Test
  void sameWithTreesSideBySide() {
    TreeShape shape = TreeShape.of(List.of(10_000L, 500L, 1L), List.of(1_000, 154));
    assertThat(shape.files()).isEqualTo(10_501);
    assertThat(shape.childrenOf(0)).isEqualTo(3);
    everyDirectoryAndFileHasOnePlace(shape);
  }

  @Test
  void pathsAreThoseOfTheNames() {
    TreeShape shape = TreeShape.of(List.of(10L, 10L), List.of(2, 2));
    assertThat(shape.pathOf(0)).isEqualTo("/");
    assertThat(shape.pathOf(shape.child(0, 1))).isEqualTo("/d00000004");
    assertThat(shape.pathOf(shape.child(shape.child(0, 1), 1))).isEqualTo("/d00000004/d00000006");
  }

  private static void everyDirectoryAndFileHasOnePlace(TreeShape shape) {
    Set<Integer> children = new HashSet<>();
    long counted = 0;
    for (int directory = 0; directory < shape.directories(); directory++) {
      assertThat(shape.firstFileOf(directory)).isEqualTo(counted);
      counted += shape.filesOf(directory);
      int previous = directory;
      for (int i = 0; i < shape.childrenOf(directory); i++) {
        int child = shape.child(directory, i);
        assertThat(child).isGreaterThan(previous);
        assertThat(shape.parentOf(child)).isEqualTo(directory);
        assertThat(shape.levelOf(child)).isEqualTo(shape.levelOf(directory) + 1);
        assertThat(children.add(child)).isTrue();
        previous = child;
      }
    }
    assertThat(counted).isEqualTo(shape.files());
    assertThat(children).hasSize(shape.directories() - 1);
  }

  @ParameterizedTest
  @ValueSource(longs = {10_000_000, 1_000_000_000})
  void largeSetsHaveTheSharesOfTheirModel(long files) {
    TreeShape shape = LevelTree.of(files);
    double directories = shape.directories();
    assertThat(directories / (directories + files)).isBetween(0.0146, 0.0148);
    assertThat(shape.levelOf(shape.directories() - 1)).isEqualTo(7);
  }

  @ParameterizedTest
  @ValueSource(ints = 200_000)
  void sizesHaveTheSharesOfTheirModel(int files) {
    int empty = 0;
    int small = 0;
    int large = 0;
    for (int file = 0; file < files; file++) {
      long length = FileSizes.lengthBytes(file);
      empty += length == 0 ? 1 : 0;
      small += length > 0 && length <= 128 * 1024 ? 1 : 0;
      large += length > 512L << 20 ? 1 : 0;
    }
    assertThat(100.0 * empty / files).isBetween(2.2, 2.7);
    assertThat(100.0 * small / files).isBetween(33.5, 35.0);
    assertThat(100.0 * large / files).isBetween(2.6, 3.1);
  }
}
