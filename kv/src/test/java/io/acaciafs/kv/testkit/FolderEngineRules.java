package io.acaciafs.kv.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.acaciafs.kv.engine.CheckpointRestore;
import io.acaciafs.kv.engine.Engine;
import io.acaciafs.kv.engine.EngineStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** What a NameNode expects of an engine that keeps its store in the NameNode's folder. */
public interface FolderEngineRules extends EngineRules {
  /** An empty folder. */
  Path folder();

  @Test
  default void isNotShared() {
    assertThat(provider().isShared()).isFalse();
  }

  /** An empty store in its place would have the DataNodes delete all that they keep. */
  @Test
  default void refusesAStoreThatIsMissing() throws Exception {
    Engine engine = engine("missing");
    assertThatThrownBy(engine::requireStore)
        .isInstanceOf(IOException.class)
        .hasMessageContaining(engine.place());
  }

  @Test
  default void makesAStoreOfACopy() throws Exception {
    Engine engine = engine("source");
    Path copy = folder().resolve("copy");
    CheckpointRestore restore = engine("restored").checkpointRestore().orElseThrow();
    assertThat(restore.isWhole(copy)).isFalse();
    try (EngineStore store = engine.open()) {
      put(store, 1);
      store.checkpoints().orElseThrow().make(copy);
      put(store, 2);
      try (EngineStore copied = store.checkpoints().orElseThrow().open(copy)) {
        assertThat(has(copied, 1)).isTrue();
        assertThat(has(copied, 2)).isFalse();
      }
    }
    assertThat(restore.isWhole(copy)).isTrue();
    restore.restore(copy);
    engine("restored").requireStore();
    for (int i = 0; i < 2; i++) { // what is done to the store is not done to the copy
      try (EngineStore restored = engine("restored").open()) {
        assertThat(has(restored, 1)).isTrue();
        assertThat(has(restored, 2)).isFalse();
        assertThat(has(restored, 3)).isEqualTo(i > 0);
        put(restored, 3);
      }
    }
    assertThat(Files.isDirectory(copy)).isTrue();
    engine("restored-again").checkpointRestore().orElseThrow().restore(copy);
    try (EngineStore restored = engine("restored-again").open()) {
      assertThat(has(restored, 1)).isTrue();
      assertThat(has(restored, 3)).isFalse();
    }
  }

  private static void put(EngineStore store, int number) throws Exception {
    EngineRules.put(store, number);
  }

  private static boolean has(EngineStore store, int number) {
    return EngineRules.has(store, number);
  }
}
