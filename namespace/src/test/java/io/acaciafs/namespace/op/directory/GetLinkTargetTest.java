package io.acaciafs.namespace.op.directory;

import static org.assertj.core.api.Assertions.assertThat;

import io.acaciafs.namespace.op.OperationTest;
import java.io.FileNotFoundException;
import java.io.IOException;
import org.apache.hadoop.fs.permission.FsPermission;
import org.junit.jupiter.api.Test;

class GetLinkTargetTest extends OperationTest {
  private void link(String target, String link) throws IOException {
    fs.run(new CreateSymlink(target, link, FsPermission.getDefault(), true));
  }

  private String targetOf(String path) throws IOException {
    return fs.run(new GetLinkTarget(path));
  }

  @Test
  void isWhatTheLinkWasMadeWith() throws IOException {
    for (String target : new String[] {"/a//b/", "../x", "hdfs://other:8020/y", "file:///z"}) {
      link(target, "/d/link");
      assertThat(targetOf("/d/link")).isEqualTo(target);
      fs.run(new Delete("/d/link", false));
    }
  }

  @Test
  void isThePathWithTheFirstLinkReplaced() throws IOException {
    link("/to", "/d/absolute");
    link("to", "/d/relative");
    link("/to", "/top");
    assertThat(targetOf("/d/absolute/x/y")).isEqualTo("/to/x/y");
    assertThat(targetOf("/d/relative/x")).isEqualTo("/d/to/x");
    assertThat(targetOf("/top/x")).isEqualTo("/to/x");
  }

  @Test
  void refusesWhatIsNoLink() throws IOException {
    fs.file("/file");
    assertRefused(new GetLinkTarget("/none"))
        .isInstanceOf(FileNotFoundException.class)
        .hasMessage("File does not exist: /none");
    assertRefused(new GetLinkTarget("/file"))
        .isExactlyInstanceOf(IOException.class)
        .hasMessage("Path /file is not a symbolic link");
  }
}
