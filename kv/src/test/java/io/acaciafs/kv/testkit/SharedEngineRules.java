package io.acaciafs.kv.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.acaciafs.kv.Reader;
import io.acaciafs.kv.StoreException;
import io.acaciafs.kv.engine.Engine;
import io.acaciafs.kv.engine.EngineStore;
import io.acaciafs.kv.engine.SnapshotRestore;
import io.acaciafs.kv.engine.Snapshots;
import java.io.IOException;
import org.junit.jupiter.api.Test;

/** What a NameNode expects of an engine whose store several NameNodes serve. */
public interface SharedEngineRules extends EngineRules {
  @Test
  default void isShared() {
    assertThat(provider().isShared()).isTrue();
  }

  @Test
  default void removesAStoreOnlyByForce() throws Exception {
    Engine engine = engine("forced");
    engine.format(false);
    try (EngineStore store = engine.open()) {
      EngineRules.put(store, 1);
    }
    assertThatThrownBy(() -> engine.format(false)).isInstanceOf(StoreException.class);
    engine.format(true);
    try (EngineStore store = engine.open()) {
      assertThat(EngineRules.has(store, 1)).isFalse();
    }
  }

  @Test
  default void opensTheStoreOfItsOwnerAlone() throws Exception {
    engine("owned").format(false);
    provider().engine(context("owned", null)).open().close();
    Engine other = provider().engine(context("owned", "another"));
    assertThatThrownBy(other::open)
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("somebody");
  }

  /** Makes one change to a copy, and takes the snapshot unless it is told to fail. */
  record Change(int number, boolean fails) implements SnapshotRestore.Correction {
    @Override
    public void correct(EngineStore copy, String snapshot) throws IOException {
      try {
        EngineRules.put(copy, number);
      } catch (Exception e) {
        throw new IOException(e);
      }
      if (fails) {
        throw new IOException("The copy is not corrected");
      }
      copy.snapshots().orElseThrow().take(snapshot);
    }

    @Override
    public boolean isSameRestore(Reader store, Reader copy) {
      return EngineRules.has(store, number) && EngineRules.has(copy, number);
    }
  }

  @Test
  default void makesAStoreOfASnapshotWhenItIsCorrected() throws Exception {
    Engine engine = engine("source");
    engine.format(false);
    try (EngineStore store = engine.open()) {
      EngineRules.put(store, 1);
      Snapshots snapshots = store.snapshots().orElseThrow();
      snapshots.prepare();
      assertThat(snapshots.pause(60_000, OTHER)).isTrue();
      try {
        snapshots.take("one");
      } finally {
        snapshots.resume();
      }
      EngineRules.put(store, 2);
    }
    Engine restored = engine("restored");
    SnapshotRestore restore = restored.snapshotRestore().orElseThrow();
    assertThatThrownBy(() -> restore.restore("one", new Change(4, true)))
        .hasMessage("The copy is not corrected");
    assertThat(restored.exists()).isFalse();

    assertThat(restored.place()).startsWith(restore.restore("one", new Change(3, false)));
    try (EngineStore store = restored.open()) {
      assertThat(EngineRules.has(store, 1)).isTrue();
      assertThat(EngineRules.has(store, 2)).isFalse();
      assertThat(EngineRules.has(store, 3)).isTrue();
      assertThat(EngineRules.has(store, 4)).isFalse();
    }
    assertThatThrownBy(() -> restore.restore("one", new Change(3, false)))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("already");
  }
}
