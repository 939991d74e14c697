package io.acaciafs.namespace.op;

import static org.assertj.core.api.Assertions.assertThat;

import io.acaciafs.kv.memory.MemoryStore;
import io.acaciafs.namespace.context.Caller;
import io.acaciafs.namespace.op.attribute.SetPermission;
import io.acaciafs.namespace.op.attribute.SetTimes;
import io.acaciafs.namespace.op.directory.GetListing;
import io.acaciafs.namespace.op.directory.Mkdirs;
import io.acaciafs.namespace.op.directory.Rename2;
import io.acaciafs.namespace.record.Inode;
import io.acaciafs.namespace.run.NamespaceOperation;
import io.acaciafs.namespace.testkit.ManualClock;
import io.acaciafs.namespace.testkit.NamespaceFixture;
import java.io.IOException;
import java.util.EnumSet;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.hadoop.fs.Options;
import org.apache.hadoop.fs.permission.FsPermission;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What is told of operations, and when they let others go. */
class WatchedCallerTest {
  private static final FsPermission MODE = new FsPermission((short) 0751);

  private final NamespaceFixture fs =
      new NamespaceFixture(
          new MemoryStore(), NamespaceFixture.settings(1_000, 0), new ManualClock());
  private final AtomicReference<Inode.Attributes> subject = new AtomicReference<>();

  @AfterEach
  void close() {
    fs.close();
  }

  @Test
  void whatWasMadeOrChangedIsTold() throws IOException {
    assertThat(toldOf(new Mkdirs("/a/b", MODE, true))).isEqualTo("rwxr-x--x");
    assertThat(toldOf(new SetPermission("/a", new FsPermission((short) 0700))))
        .isEqualTo("rwx------");
    assertThat(toldOf(new Mkdirs("/a/b", MODE, true))).isEqualTo("rwxr-x--x"); // it is there
    assertThat(toldOf(new SetPermission("/", new FsPermission((short) 0777))))
        .isEqualTo("rwxrwxrwx");
    fs.file("/f");
    assertThat(toldOf(new Rename2("/a/b", "/c", EnumSet.noneOf(Options.Rename.class))))
        .isEqualTo("rwxr-x--x");
    assertThat(toldOf(new SetTimes("/a", 1, -1))).isEqualTo("rwx------");
  }

  @Test
  void aLongPageLetsOthersGoNowAndThen() throws IOException {
    for (int i = 0; i < 200; i++) {
      fs.file("/d/" + i);
    }
    AtomicInteger pauses = new AtomicInteger();
    Caller caller = Caller.superuser("hdfs").pausing(pauses::incrementAndGet);
    fs.run(caller, new GetListing("/d", new byte[0], false));
    assertThat(pauses).hasValue(3);
  }

  private String toldOf(NamespaceOperation<?> operation) throws IOException {
    subject.set(null);
    fs.run(Caller.superuser("hdfs").tellingOf(subject::set), operation);
    return subject.get().permission().toString();
  }
}
