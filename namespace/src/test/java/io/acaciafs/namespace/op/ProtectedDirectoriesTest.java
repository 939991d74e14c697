package io.acaciafs.namespace.op;

import static io.acaciafs.namespace.testkit.NamespaceFixture.ALICE;
import static io.acaciafs.namespace.testkit.NamespaceFixture.SUPERUSER;
import static org.assertj.core.api.Assertions.assertThat;

import io.acaciafs.namespace.op.directory.Delete;
import io.acaciafs.namespace.op.directory.Rename;
import io.acaciafs.namespace.op.directory.Rename2;
import io.acaciafs.namespace.run.NamespaceOperation;
import java.io.IOException;
import java.util.EnumSet;
import java.util.List;
import java.util.stream.Stream;
import org.apache.hadoop.fs.Options;
import org.apache.hadoop.security.AccessControlException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What fs.protected.directories names is neither deleted nor renamed while it holds something. */
class ProtectedDirectoriesTest extends OperationTest {
  @BeforeEach
  void protect() throws IOException {
    fs.mkdir("/up/user/alice/deep");
    fs.mkdir("/up/username");
    fs.mkdir("/up/empty");
    fs.namespace().protectedDirectories().set(List.of("/up/user", "/up/empty", "/gone"), false);
  }

  private static List<NamespaceOperation<?>> goodbyes(String path) {
    return List.of(
        new Delete(path, true),
        new Rename(path, "/elsewhere"),
        new Rename2(path, "/elsewhere", EnumSet.noneOf(Options.Rename.class)),
        new Rename2(path, "/elsewhere", EnumSet.of(Options.Rename.TO_TRASH)));
  }

  private static Stream<NamespaceOperation<?>> goodbyesToTheDirectory() {
    return goodbyes("/up/user").stream();
  }

  private static Stream<NamespaceOperation<?>> goodbyesToTheOneAbove() {
    return goodbyes("/up").stream();
  }

  private static Stream<NamespaceOperation<?>> goodbyesBelow() {
    return goodbyes("/up/user/alice").stream();
  }

  private static Stream<NamespaceOperation<?>> goodbyesToOthers() {
    return Stream.of("/up/username", "/up/empty", "/up/user/alice/deep")
        .flatMap(path -> goodbyes(path).stream());
  }

  @ParameterizedTest
  @MethodSource("goodbyesToTheDirectory")
  void staysWhileItHoldsSomething(NamespaceOperation<?> operation) {
    assertRefused(operation)
        .isInstanceOf(AccessControlException.class)
        .hasMessage("Cannot delete/rename non-empty protected directory /up/user");
  }

  @ParameterizedTest
  @MethodSource("goodbyesToTheOneAbove")
  void keepsWhatIsAboveIt(NamespaceOperation<?> operation) {
    assertRefused(operation)
        .isInstanceOf(AccessControlException.class)
        .hasMessage("Cannot delete/rename non-empty protected subdirectory /up/user");
  }

  @ParameterizedTest
  @MethodSource("goodbyesBelow")
  void keepsWhatIsBelowOnlyIfItIsTo(NamespaceOperation<?> operation) throws IOException {
    fs.namespace().protectedDirectories().set(List.of("/up/user"), true);
    assertRefused(operation)
        .isInstanceOf(AccessControlException.class)
        .hasMessage("Cannot delete/rename subdirectory under protected subdirectory /up/user");

    fs.namespace().protectedDirectories().set(List.of("/up/user"), false);
    fs.run(SUPERUSER, operation);
    assertThat(fs.exists("/up/user/alice")).isFalse();
  }

  @ParameterizedTest
  @MethodSource("goodbyesToOthers")
  void othersAndEmptyOnesMayGo(NamespaceOperation<?> operation) throws IOException {
    fs.run(SUPERUSER, operation);
    assertThat(
            Stream.of("/up/username", "/up/empty", "/up/user/alice/deep")
                .filter(
                    path -> {
                      try {
                        return fs.exists(path);
                      } catch (IOException e) {
                        throw new AssertionError(e);
                      }
                    }))
        .hasSize(2);
  }

  @Test
  void isFoundByItsInodeToo() throws IOException {
    long id = fs.info("/up/user").inode().id();
    assertRefused(new Delete("/.reserved/.inodes/" + id, true))
        .hasMessage("Cannot delete/rename non-empty protected directory /up/user");
    assertRefused(new Delete("//up/user/", true)).hasMessageContaining("protected");
  }

  @Test
  void whoMayNotDeleteIsToldSoFirstAsInHdfs() {
    assertRefused(ALICE, new Delete("/up/user", true)).hasMessageContaining("Permission denied");
    assertRefused(ALICE, new Rename("/up/user", "/x")).hasMessageContaining("protected");
  }

  @Test
  void aFileOfTheNameIsNotProtected() throws IOException {
    fs.file("/gone");
    assertThat(fs.run(new Delete("/gone", true))).isTrue();
  }
}
