package io.acaciafs.namenode.store;

import io.acaciafs.kv.engine.EngineSettings;
import org.apache.hadoop.conf.Configuration;

/** Hadoop's configuration, as an engine reads it. */
record SiteSettings(Configuration conf) implements EngineSettings {
  @Override
  public String text(String name, String otherwise) {
    return conf.getTrimmed(name, otherwise);
  }

  @Override
  public int number(String name, int otherwise) {
    return conf.getInt(name, otherwise);
  }

  @Override
  public long bytes(String name, long otherwise) {
    return conf.getLongBytes(name, otherwise);
  }
}
