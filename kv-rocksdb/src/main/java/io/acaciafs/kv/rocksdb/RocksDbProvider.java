package io.acaciafs.kv.rocksdb;

import io.acaciafs.kv.engine.Engine;
import io.acaciafs.kv.engine.EngineContext;
import io.acaciafs.kv.engine.EngineProvider;
import io.acaciafs.settings.Setting;
import java.util.List;

/** The embedded engine, as {@link java.util.ServiceLoader} finds it. */
public final class RocksDbProvider implements EngineProvider {
  @Override
  public String name() {
    return "rocksdb";
  }

  @Override
  public String title() {
    return "RocksDB";
  }

  @Override
  public boolean isShared() {
    return false;
  }

  @Override
  public List<Setting<?>> settings() {
    return RocksDbConfigKeys.ALL;
  }

  @Override
  public void loadAhead() {
    RocksDbStore.loadLibrary();
  }

  @Override
  public Engine engine(EngineContext context) {
    return new RocksDbEngine(context);
  }
}
