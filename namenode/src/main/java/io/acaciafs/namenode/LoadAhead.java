package io.acaciafs.namenode;

import io.acaciafs.kv.StoreException;
import io.acaciafs.kv.engine.EngineProvider;
import io.acaciafs.namenode.settings.SettingsCheck;
import io.acaciafs.namenode.store.Engines;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos;
import org.apache.hadoop.hdfs.protocol.proto.DatanodeProtocolProtos;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Loads what every start needs and what takes long, while the start is still busy with its
 * configuration. Only things that need nothing else: the part that needs one before it is there
 * waits for it, and fails if it cannot be loaded.
 */
final class LoadAhead {
  private static final Logger LOG = LoggerFactory.getLogger(LoadAhead.class);

  private LoadAhead() {}

  /** Starts the thread, which ends by itself. */
  static void begin() {
    Thread thread = new Thread(LoadAhead::load, "load-ahead");
    thread.setDaemon(true);
    thread.start();
  }

  private static void load() {
    try {
      SettingsCheck.load();
      Engines.all().forEach(EngineProvider::loadAhead);
      ClientNamenodeProtocolProtos.getDescriptor();
      DatanodeProtocolProtos.getDescriptor();
    } catch (StoreException | LinkageError e) {
      // the part that needs it fails with the same, and is heard
      LOG.debug("Could not be loaded ahead", e);
    }
  }
}
