package io.acaciafs.namespace.op.lease;

import static io.acaciafs.namespace.testkit.NamespaceFixture.ALICE;
import static io.acaciafs.namespace.testkit.NamespaceFixture.settings;
import static org.assertj.core.api.Assertions.assertThat;

import io.acaciafs.kv.memory.MemoryStore;
import io.acaciafs.namespace.op.OperationTest;
import io.acaciafs.namespace.op.directory.Delete;
import io.acaciafs.namespace.op.directory.Rename;
import io.acaciafs.namespace.settings.FeatureSettings;
import io.acaciafs.namespace.testkit.ManualClock;
import io.acaciafs.namespace.testkit.NamespaceFixture;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.fs.InvalidPathException;
import org.apache.hadoop.hdfs.protocol.OpenFileEntry;
import org.apache.hadoop.security.AccessControlException;
import org.junit.jupiter.api.Test;

class ListOpenFilesTest extends OperationTest {

  private List<String> list(String below) throws IOException {
    List<String> paths = new ArrayList<>();
    long last = 0;
    ListOpenFiles.Page page;
    do {
      page = fs.run(new ListOpenFiles(last, below));
      for (OpenFileEntry entry : page.entries()) {
        paths.add(entry.getFilePath());
        last = entry.getId();
      }
    } while (page.hasMore());
    return paths;
  }

  @Test
  void listsWhatIsBeingWrittenWhereverItIsNow() throws IOException {
    use(
        new NamespaceFixture(
            new MemoryStore(),
            settings(4, 0).with(FeatureSettings.DEFAULTS.withOpenFilesPerPage(2)),
            new ManualClock()));
    for (int i = 0; i < 5; i++) {
      fs.open("/d/f" + i);
    }
    fs.file("/d/closed");
    fs.open("/other");
    fs.open("/gone");
    fs.run(new Delete("/gone", false));
    fs.run(new Rename("/d", "/dd"));
    assertThat(list("/"))
        .containsExactly("/dd/f0", "/dd/f1", "/dd/f2", "/dd/f3", "/dd/f4", "/other");
    assertThat(list("/dd")).hasSize(5);
    assertThat(list("/dd/f1")).containsExactly("/dd/f1");
    assertThat(list("/d")).isEmpty();
    OpenFileEntry first = fs.run(new ListOpenFiles(0, "/")).entries().get(0);
    assertThat(first.getClientName()).isEqualTo(NamespaceFixture.CLIENT);
    assertThat(first.getClientMachine()).isEqualTo("10.0.0.1");
  }

  /** What a Hadoop NameNode answers to the same. */
  @Test
  void aPathMayHaveAnyForm() throws IOException {
    fs.open("/a/b");
    fs.open("/a/c/d");
    fs.open("/b");
    for (String form : List.of("/a", "/a/", "/a//", "/./a", "/b/../a")) {
      assertThat(list(form)).as(form).containsExactly("/a/b", "/a/c/d");
    }
    for (String form : List.of("/a/b", "/a/b/", "/a//b", "/a/../a/b")) {
      assertThat(list(form)).as(form).containsExactly("/a/b");
    }
    for (String form : List.of("", "/", "/.", "/a/..", "/../")) {
      assertThat(list(form)).as(form).hasSize(form.equals("/../") ? 0 : 3);
    }
    for (String form :
        List.of("/absent", "/a/absent/", "/a/b/c", "/A", "/.reserved", "/a/.", "/a/c/../")) {
      assertThat(list(form)).as(form).isEmpty();
    }
    assertRefused(ALICE, new ListOpenFiles(0, "a")).isInstanceOf(InvalidPathException.class);
  }

  @Test
  void isForSuperusers() {
    assertRefused(ALICE, new ListOpenFiles(0, "/")).isInstanceOf(AccessControlException.class);
  }
}
