package io.acaciafs.kv.engine;

import io.acaciafs.settings.Setting;
import java.io.IOException;
import java.util.List;

/**
 * An engine module's entry, found by {@link java.util.ServiceLoader}. Stateless: it is made at each
 * start of a process, also of one that uses another engine, so it loads nothing of its engine.
 */
public interface EngineProvider {
  /** What {@code acacia.store.engine} says to choose this engine, and what a folder notes. */
  String name();

  /** The engine's name in sentences for people. */
  String title();

  /**
   * Whether the store is on servers where several NameNodes use it at a time. Otherwise it lies in
   * the folder of one NameNode, and the process that holds the lock of the folder may open it.
   */
  boolean isShared();

  /**
   * Whether several NameNodes each keep the whole store, and elect the one that serves. Then {@link
   * Engine#replica} is how a NameNode serves.
   */
  default boolean isReplicated() {
    return false;
  }

  /** The engine whose copies of a store this one makes and takes; its name. */
  default String copyFormat() {
    return name();
  }

  /** The engine's own settings, each under a name that begins with {@code acacia.}. */
  default List<Setting<?>> settings() {
    return List.of();
  }

  /**
   * Loads what each opening of a store needs and what takes long. A process may call it before it
   * knows its settings, on a thread of its own.
   *
   * @throws io.acaciafs.kv.StoreException when it cannot be loaded; the opening will fail with the
   *     same
   */
  default void loadAhead() {}

  /**
   * The engine with the settings of a site. Opens nothing and waits for nothing.
   *
   * @throws IOException with a sentence for people when a setting is missing
   */
  Engine engine(EngineContext context) throws IOException;
}
