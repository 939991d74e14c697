package io.acaciafs.namespace.background;

import static org.assertj.core.api.Assertions.assertThat;

import io.acaciafs.kv.memory.MemoryStore;
import io.acaciafs.namespace.record.NamespaceKeys;
import io.acaciafs.namespace.settings.DirectorySettings;
import io.acaciafs.namespace.testkit.ManualClock;
import io.acaciafs.namespace.testkit.NamespaceFixture;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** When a division is gone on with, and by whom. */
class SplitterTest {
  private static final int LOOKS_EVERY = 10;

  private final NamespaceFixture fs =
      new NamespaceFixture(
          new MemoryStore(),
          NamespaceFixture.settings(50, 0).with(new DirectorySettings(1, 100)),
          new ManualClock());
  private final AtomicBoolean isOurs = new AtomicBoolean();

  @AfterEach
  void close() {
    fs.close();
  }

  private void fill() throws IOException {
    for (int i = 0; i < 300; i++) {
      fs.file("/d/f" + i);
    }
  }

  /** As if another process had begun, and this one did not know of it. */
  private void beginElsewhere() throws IOException {
    fill();
    while (fs.rows(NamespaceKeys.JOBS) == 0) {
      BackgroundWork.splitOnce(fs.namespace());
    }
    while (!fs.namespace().splitCandidates().isEmpty()) {
      fs.namespace().splitCandidates().poll();
    }
  }

  @Test
  void whatHasGrownHereIsDividedAtOnceWhoeverLooksAfterTheRest() throws Exception {
    Splitter splitter = new Splitter(fs.namespace(), isOurs::get);
    splitter.run();
    fill();
    splitter.run();
    assertThat(fs.rows(NamespaceKeys.JOBS)).isZero();
    assertThat(fs.namespace().splitCandidates().isEmpty()).isTrue();
    fs.file("/d/more");
    BackgroundWork.splitOnce(fs.namespace());
    assertThat(fs.rows(NamespaceKeys.JOBS)).as("it is small enough now").isZero();
  }

  @Test
  void whatOthersLeftIsGoneOnWithAtTheStart() throws Exception {
    beginElsewhere();
    new Splitter(fs.namespace(), isOurs::get).run();
    assertThat(fs.rows(NamespaceKeys.JOBS)).isZero();
  }

  @Test
  void whatOthersLeaveIsGoneOnWithByTheOneThatIsTo() throws Exception {
    Splitter splitter = new Splitter(fs.namespace(), isOurs::get);
    splitter.run();
    beginElsewhere();
    for (int i = 0; i < 2 * LOOKS_EVERY; i++) {
      splitter.run();
    }
    assertThat(fs.rows(NamespaceKeys.JOBS)).as("left to another one").isPositive();
    isOurs.set(true);
    for (int i = 0; i < LOOKS_EVERY; i++) {
      splitter.run();
    }
    assertThat(fs.rows(NamespaceKeys.JOBS)).isZero();
  }
}
