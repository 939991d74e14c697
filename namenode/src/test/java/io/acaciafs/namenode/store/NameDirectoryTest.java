package io.acaciafs.namenode.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.acaciafs.blocks.ClusterIdentity;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NameDirectoryTest {
  private static final ClusterIdentity IDENTITY =
      new ClusterIdentity(17, "CID-one", "BP-1-127.0.0.1-5", 5);

  @TempDir private Path folder;

  @Test
  void keepsWhoTheFileSystemIs() throws IOException {
    new NameDirectory(folder).write(IDENTITY, "rocksdb");

    NameDirectory reopened = new NameDirectory(folder);
    assertThat(reopened.isFormatted()).isTrue();
    assertThat(reopened.read(null)).isEqualTo(IDENTITY);
    assertThat(reopened.read("CID-one")).isEqualTo(IDENTITY);
    assertThat(reopened.engine()).isEqualTo("rocksdb");
  }

  @Test
  void saysWhatToDoWithAFolderThatIsNotFormatted() {
    assertThatThrownBy(() -> new NameDirectory(folder).read(null))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("is not formatted")
        .hasMessageContaining("acacia format");
  }

  @Test
  void refusesTheFolderOfAnotherCluster() throws IOException {
    NameDirectory directory = new NameDirectory(folder);
    directory.write(IDENTITY, "rocksdb");

    assertThatThrownBy(() -> directory.read("CID-two"))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("formatted by cluster CID-one")
        .hasMessageContaining("acacia.cluster.id");
  }

  @Test
  void refusesAFolderOfHadoopsNameNode() throws IOException {
    Files.createDirectories(folder.resolve("current"));
    Files.writeString(folder.resolve("current/VERSION"), "clusterID=CID-one\nlayoutVersion=-67\n");

    assertThatThrownBy(() -> new NameDirectory(folder).read(null))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("formatted by Hadoop's NameNode");
  }

  @Test
  void knowsAFolderInUseFromOneThatCannotBeWritten() throws Exception {
    NameDirectory directory = new NameDirectory(folder);
    assertThat(directory.isInUse()).isFalse();
    try (AutoCloseable lock = directory.lock()) {
      assertThat(lock).isNotNull();
      assertThat(directory.isInUse()).isTrue();
      assertThat(directory.tryLock()).isNull();
      assertThatThrownBy(directory::lock).hasMessageContaining("already locked by another process");
    }
    assertThat(directory.isInUse()).isFalse();

    Files.delete(folder.resolve("in_use.lock"));
    Files.createDirectory(folder.resolve("in_use.lock"));
    assertThatThrownBy(directory::isInUse).isInstanceOf(IOException.class);
    assertThatThrownBy(directory::tryLock)
        .isInstanceOf(IOException.class)
        .hasMessageContaining("in_use.lock");
  }

  @Test
  void refusesANewerFormat() throws IOException {
    NameDirectory directory = new NameDirectory(folder);
    directory.write(IDENTITY, "rocksdb");
    Path version = folder.resolve("current/VERSION");
    Files.writeString(
        version, Files.readString(version).replace("acaciaFormat=1", "acaciaFormat=2"));

    assertThatThrownBy(() -> directory.read(null))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("has format 2")
        .hasMessageContaining("newer version");
  }

  @Test
  void refusesADamagedVersionFile() throws IOException {
    NameDirectory directory = new NameDirectory(folder);
    directory.write(IDENTITY, "rocksdb");
    Path version = folder.resolve("current/VERSION");
    Files.writeString(version, Files.readString(version).replace("blockpoolID", "nothing"));

    assertThatThrownBy(() -> directory.read(null))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("lacks blockpoolID");
  }

  /** Nobody is told that the file is Hadoop's, whatever is left of it. */
  @Test
  void refusesAVersionFileThatWasCutOff() throws IOException {
    NameDirectory directory = new NameDirectory(folder);
    directory.write(IDENTITY, "rocksdb");
    Path version = folder.resolve("current/VERSION");
    String whole = Files.readString(version);
    for (int length = 0; length < whole.length(); length++) {
      Files.writeString(version, whole.substring(0, length));
      assertThatThrownBy(() -> directory.read(null))
          .as("the first %s bytes", length)
          .isInstanceOf(IOException.class)
          .hasMessageStartingWith("The file " + version + " is damaged: it ")
          .hasMessageContaining("Put it back");
    }
  }

  @Test
  void aVersionFileThatWasNotWrittenToItsEndIsNothing() throws IOException {
    NameDirectory directory = new NameDirectory(folder);
    Files.createDirectory(folder.resolve("current"));
    Files.writeString(folder.resolve("current/VERSION.tmp"), "names");
    assertThat(directory.isEmpty()).isTrue();
    assertThatThrownBy(() -> directory.read(null)).hasMessageContaining("is not formatted");
  }

  @Test
  void namesItsFolderFromTheRoot() throws IOException {
    Configuration conf = new Configuration(false);
    conf.set("dfs.namenode.name.dir", "some/../relative");

    assertThat(NameDirectory.of(conf).folder()).isEqualTo(Path.of("relative").toAbsolutePath());
  }

  @Test
  void wantsOneFolder() {
    Configuration conf = new Configuration(false);
    conf.set("dfs.namenode.name.dir", "/one,/two");

    assertThatThrownBy(() -> NameDirectory.of(conf))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("names 2 folders");
  }

  @Test
  void takesAFolderAsAUri() throws IOException {
    Configuration conf = new Configuration(false);
    conf.set("dfs.namenode.name.dir", "file:///data/name");

    assertThat(NameDirectory.of(conf).folder()).isEqualTo(Path.of("/data/name"));
  }

  @Test
  void isItsOwnersAlone() throws Exception {
    Configuration conf = new Configuration(false);
    conf.set("dfs.namenode.name.dir", folder.toString());
    Path current = folder.resolve("current");
    NameDirectory.of(conf).write(IDENTITY, "rocksdb");
    assertThat(permissions(current)).isEqualTo("rwx------");
    conf.set("dfs.namenode.storage.dir.perm", "u=rwx,g=rx,o=");
    NameDirectory.of(conf).lock().close();
    assertThat(permissions(current)).isEqualTo("rwxr-x---");
    Files.setPosixFilePermissions(current, PosixFilePermissions.fromString("rwxr-xr-x"));
    conf.set("dfs.namenode.storage.dir.perm", "700");
    NameDirectory.of(conf).lock().close();
    assertThat(permissions(current)).isEqualTo("rwx------");
  }

  private static String permissions(Path path) throws IOException {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
  }
}
