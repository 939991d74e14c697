package io.acaciafs.tools;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What holds a store, and so the keys of tokens, is its owner's alone, whatever makes it. */
@Timeout(300)
class OwnerOnlyTest {
  /** Of files of a name directory that are beside the store: they tell nothing. */
  private static final Set<String> OPEN = Set.of("in_use.lock");

  private static final Set<PosixFilePermission> OF_OTHERS =
      Set.of(
          PosixFilePermission.GROUP_READ,
          PosixFilePermission.GROUP_EXECUTE,
          PosixFilePermission.OTHERS_READ,
          PosixFilePermission.OTHERS_EXECUTE);

  @TempDir private Path folder;

  private void run(String name, String command, String... more) {
    Path names = folder.resolve(name);
    Stream<String> settings =
        Stream.of(
            "-D",
            "dfs.namenode.name.dir=" + names.toUri(),
            "-D",
            "fs.defaultFS=hdfs://127.0.0.1:8020");
    String[] arguments =
        Stream.of(Stream.of(command), settings, Stream.of(more))
            .flatMap(each -> each)
            .toArray(String[]::new);
    assertThat(Acacia.run(arguments)).as("%s", List.of(arguments)).isZero();
  }

  private static boolean isOpen(Path path) {
    try {
      return Files.getPosixFilePermissions(path).stream().anyMatch(OF_OTHERS::contains);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  /** Nobody else can read a file, by its own mode or by one of the folders around it. */
  private static void assertClosed(Path root) throws IOException {
    try (Stream<Path> files = Files.walk(root)) {
      List<Path> all = files.filter(Files::isRegularFile).toList();
      assertThat(all).isNotEmpty();
      assertThat(all)
          .allSatisfy(
              file -> {
                boolean isOpen = isOpen(file) && !OPEN.contains(file.getFileName().toString());
                for (Path each = file.getParent();
                    isOpen && each.startsWith(root);
                    each = Objects.requireNonNull(each.getParent())) {
                  isOpen = isOpen(each);
                }
                assertThat(isOpen).as("others can read it").isFalse();
              });
    }
  }

  @Test
  void whatCommandsMakeIsTheirUsersAlone() throws Exception {
    run("name", "format");
    assertClosed(folder.resolve("name"));
    Path backup = folder.resolve("backup");
    run("name", "backup", backup.toString());
    assertClosed(backup);
    Path images = folder.resolve("images");
    run("name", "export", "--fsimage=" + images);
    assertClosed(images);
    run("restored", "restore", backup.toString());
    assertClosed(folder.resolve("restored"));
    Path image;
    try (Stream<Path> files = Files.list(images.resolve("current"))) {
      image =
          files
              .filter(file -> file.getFileName().toString().matches("fsimage_\\d+"))
              .findFirst()
              .orElseThrow();
    }
    run("imported", "import", "--fsimage=" + image);
    assertClosed(folder.resolve("imported"));
  }

  @Test
  void soIsTheLogOfThree() throws Exception {
    run(
        "name",
        "format",
        "-D",
        "acacia.store.engine=raft",
        "-D",
        "acacia.store.raft.members=nn1=127.0.0.1:1,nn2=127.0.0.1:2,nn3=127.0.0.1:3",
        "-D",
        "dfs.nameservices=acacia",
        "-D",
        "dfs.ha.namenodes.acacia=nn1,nn2,nn3",
        "-D",
        "dfs.ha.namenode.id=nn1",
        "-D",
        "dfs.namenode.rpc-address.acacia.nn1=127.0.0.1:8020");
    assertClosed(folder.resolve("name"));
  }
}
