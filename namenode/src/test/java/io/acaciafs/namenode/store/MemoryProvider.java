package io.acaciafs.namenode.store;

import io.acaciafs.kv.engine.Engine;
import io.acaciafs.kv.engine.EngineContext;
import io.acaciafs.kv.engine.EngineProvider;
import io.acaciafs.kv.engine.EngineStore;
import io.acaciafs.kv.memory.MemoryStore;
import io.acaciafs.settings.Setting;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;

/**
 * An engine that no file of the NameNode knows, with nothing that an engine need not have. Its disk
 * is the memory of the test's process; a file in the store's folder says which store is there.
 */
public final class MemoryProvider implements EngineProvider {
  private static final Setting<Boolean> WISH =
      Setting.ofBoolean("acacia.memory.wish", false, "what cannot be fulfilled");
  private static final Map<String, MemoryStore> DISK = new ConcurrentHashMap<>();

  @Override
  public String name() {
    return "memory";
  }

  @Override
  public String title() {
    return "Memory";
  }

  @Override
  public boolean isShared() {
    return false;
  }

  @Override
  public List<Setting<?>> settings() {
    return List.of(WISH);
  }

  @Override
  public Engine engine(EngineContext context) throws IOException {
    if (WISH.in(context.site())) {
      throw new IOException(WISH + " cannot be fulfilled");
    }
    return new MemoryEngine(context);
  }

  /** Runs before each read that is in no transaction: may wait, or throw. */
  static void beforeReads(Runnable step) {
    Reads.BEFORE.set(step);
  }

  /** Reads of stores as a test wants them. */
  private static final class Reads {
    private static final AtomicReference<Runnable> BEFORE = new AtomicReference<>(() -> {});

    static EngineStore of(MemoryStore store) {
      return (EngineStore)
          Proxy.newProxyInstance(
              EngineStore.class.getClassLoader(),
              new Class<?>[] {EngineStore.class},
              (proxy, method, arguments) -> {
                if (method.getName().equals("get") || method.getName().equals("scan")) {
                  BEFORE.get().run();
                }
                try {
                  return method.invoke(store, arguments);
                } catch (InvocationTargetException e) {
                  throw e.getCause();
                }
              });
    }
  }

  private record MemoryEngine(EngineContext context) implements Engine {
    private Path mark() {
      return context.storeFolder().resolve("MEMORY");
    }

    @Override
    public String place() {
      return "memory of " + context.storeFolder();
    }

    @Override
    public boolean exists() {
      return Files.exists(mark());
    }

    @Override
    public void requireStore() throws IOException {
      if (!exists()) {
        throw new IOException("The memory of " + context.folder() + " is lost");
      }
    }

    @Override
    public void format(boolean isForced) {
      // Opening makes what is missing.
    }

    @Override
    public EngineStore open() {
      try {
        if (!exists()) {
          Files.createDirectories(context.storeFolder());
          Files.writeString(mark(), UUID.randomUUID().toString());
        }
        return Reads.of(
            DISK.compute(
                Files.readString(mark()),
                (id, old) -> old == null ? new MemoryStore() : old.crash()));
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }
}
