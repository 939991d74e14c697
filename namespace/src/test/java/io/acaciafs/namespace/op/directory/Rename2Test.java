package io.acaciafs.namespace.op.directory;

import static io.acaciafs.namespace.testkit.NamespaceFixture.ALICE;
import static io.acaciafs.namespace.testkit.NamespaceFixture.SUPERUSER;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.acaciafs.namespace.op.OperationTest;
import io.acaciafs.namespace.testkit.FakeBlocks;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.EnumSet;
import java.util.List;
import org.apache.hadoop.HadoopIllegalArgumentException;
import org.apache.hadoop.fs.FileAlreadyExistsException;
import org.apache.hadoop.fs.InvalidPathException;
import org.apache.hadoop.fs.Options;
import org.apache.hadoop.fs.ParentNotDirectoryException;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.security.AccessControlException;
import org.junit.jupiter.api.Test;

class Rename2Test extends OperationTest {
  private static Rename2 rename(String source, String destination, Options.Rename... options) {
    EnumSet<Options.Rename> set = EnumSet.noneOf(Options.Rename.class);
    set.addAll(List.of(options));
    return new Rename2(source, destination, set);
  }

  @Test
  void goesExactlyWhereItIsTold() throws IOException {
    fs.mkdir("/d");
    long file = fs.file("/f");
    fs.run(rename("/f", "/d/g"));
    assertThat(fs.info("/d/g").inode().id()).isEqualTo(file);
    assertThat(fs.exists("/f")).isFalse();
    assertThat(fs.damage(true)).isEmpty();
  }

  @Test
  void overwritesAFileAndReleasesItsBlocks() throws IOException {
    fs.fileWithBlock("/old", 10);
    fs.fileWithBlock("/new", 20);
    long block = fs.fileAt("/new").lastBlock().id();
    fs.run(rename("/new", "/old", Options.Rename.OVERWRITE));
    assertThat(fs.fileAt("/old").lengthBytes()).isEqualTo(20);
    assertThat(FakeBlocks.ids(fs.store())).containsExactly(block);
    assertThat(fs.info("/").children()).isEqualTo(1);
    assertThat(fs.damage(true)).isEmpty();
  }

  @Test
  void overwritesAnEmptyDirectoryOnly() throws IOException {
    fs.mkdir("/a/x");
    fs.mkdir("/b");
    fs.run(rename("/a", "/b", Options.Rename.OVERWRITE));
    assertThat(fs.list("/b")).containsExactly("x");
    fs.mkdir("/c");
    assertRefused(rename("/c", "/b", Options.Rename.OVERWRITE))
        .isExactlyInstanceOf(IOException.class)
        .hasMessage("rename destination directory is not empty: /b");
    fs.sweep();
    assertThat(fs.damage(true)).isEmpty();
  }

  @Test
  void refusesWithTheReason() throws IOException {
    fs.mkdir("/d");
    fs.file("/f");
    fs.file("/g");
    assertRefused(rename("/missing", "/x"))
        .isInstanceOf(FileNotFoundException.class)
        .hasMessage("rename source /missing is not found.");
    assertRefused(rename("/", "/x")).hasMessage("rename source cannot be the root");
    assertRefused(rename("/f", "/f"))
        .isInstanceOf(FileAlreadyExistsException.class)
        .hasMessage("The source /f and destination /f are the same");
    assertRefused(rename("/d", "/d/e"))
        .isExactlyInstanceOf(IOException.class)
        .hasMessage("Rename destination /d/e is a directory or file under source /d");
    assertRefused(rename("/f", "/")).hasMessage("rename destination cannot be the root");
    assertRefused(rename("/f", "/d", Options.Rename.OVERWRITE))
        .isExactlyInstanceOf(IOException.class)
        .hasMessage("Source /f and destination /d must both be directories");
    assertRefused(rename("/f", "/g"))
        .isInstanceOf(FileAlreadyExistsException.class)
        .hasMessage("rename destination /g already exists");
    assertRefused(rename("/f", "/x/y"))
        .isInstanceOf(FileNotFoundException.class)
        .hasMessage("rename destination parent /x/y not found.");
    assertRefused(rename("/f", "/g/x")).isInstanceOf(ParentNotDirectoryException.class);
    assertRefused(rename("/f", "/.reserved")).isInstanceOf(InvalidPathException.class);
    assertRefused(rename("/f", "/d/.snapshot")).isInstanceOf(HadoopIllegalArgumentException.class);
    assertThat(fs.list("/")).containsExactly("d", "f", "g");
  }

  @Test
  void toTheTrashNeedsTheRightToDelete() throws IOException {
    fs.mkdir(SUPERUSER, "/open", 0777);
    fs.mkdir(SUPERUSER, "/open/d", 0755);
    fs.file("/open/d/f");
    assertRefused(ALICE, rename("/open/d", "/open/trash", Options.Rename.TO_TRASH))
        .isInstanceOf(AccessControlException.class)
        .hasMessageContaining("access=ALL, inode=\"/open/d\"");
    fs.run(ALICE, rename("/open/d", "/open/e"));
    assertThat(fs.exists("/open/e/f")).isTrue();
  }

  @Test
  void doesNotOverwriteADirectoryThatIsFilledMeanwhile() throws IOException {
    fs.mkdir("/a");
    fs.mkdir("/b");
    assertThatThrownBy(
            () ->
                fs.runInterleaved(
                    SUPERUSER,
                    rename("/a", "/b", Options.Rename.OVERWRITE),
                    tree -> {
                      new Mkdirs("/b/x", new FsPermission((short) 0755), true).run(tree);
                      return null;
                    }))
        .hasMessage("rename destination directory is not empty: /b");
    assertThat(fs.list("/b")).containsExactly("x");
  }
}
