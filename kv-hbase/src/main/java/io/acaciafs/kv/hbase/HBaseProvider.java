package io.acaciafs.kv.hbase;

import io.acaciafs.kv.engine.Engine;
import io.acaciafs.kv.engine.EngineContext;
import io.acaciafs.kv.engine.EngineProvider;
import java.io.IOException;

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
  public Engine engine(EngineContext context) throws IOException {
    return HBaseEngine.of(context);
  }
}
