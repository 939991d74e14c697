package io.acaciafs.kv.hbase;

import io.acaciafs.kv.engine.Engine;
import io.acaciafs.kv.engine.EngineContext;
import io.acaciafs.kv.engine.EngineProvider;
import io.acaciafs.settings.Setting;
import java.io.IOException;
import java.util.List;

/** The scale-out engine, as {@link java.util.ServiceLoader} finds it. */
public final class HBaseProvider implements EngineProvider {
  @Override
  public String name() {
    return "hbase";
  }

  @Override
  public String title() {
    return "HBase";
  }

  @Override
  public boolean isShared() {
    return true;
  }

  @Override
  public List<Setting<?>> settings() {
    return HBaseConfigKeys.ALL;
  }

  @Override
  public Engine engine(EngineContext context) throws IOException {
    return HBaseEngine.of(context);
  }
}
