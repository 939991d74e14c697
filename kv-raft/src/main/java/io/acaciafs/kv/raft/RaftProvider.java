package io.acaciafs.kv.raft;

import io.acaciafs.kv.engine.Engine;
import io.acaciafs.kv.engine.EngineContext;
import io.acaciafs.kv.engine.EngineProvider;
import io.acaciafs.kv.rocksdb.RocksDbProvider;
import io.acaciafs.kv.rocksdb.RocksDbStore;
import io.acaciafs.settings.Setting;
import java.io.IOException;
import java.util.List;

/** The replicated engine, as {@link java.util.ServiceLoader} finds it. */
public final class RaftProvider implements EngineProvider {
  @Override
  public String name() {
    return "raft";
  }

  @Override
  public String title() {
    return "Raft";
  }

  /** Each member has its own folder, and one of them serves. */
  @Override
  public boolean isShared() {
    return false;
  }

  @Override
  public boolean isReplicated() {
    return true;
  }

  /** So that a file system can move to three NameNodes, and back. */
  @Override
  public String copyFormat() {
    return new RocksDbProvider().name();
  }

  @Override
  public List<Setting<?>> settings() {
    return RaftConfigKeys.ALL;
  }

  @Override
  public void loadAhead() {
    RocksDbStore.loadLibrary();
  }

  @Override
  public Engine engine(EngineContext context) throws IOException {
    return new RaftEngine(context);
  }
}
