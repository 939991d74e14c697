package io.acaciafs.kv.engine;

import io.acaciafs.kv.Table;
import io.acaciafs.settings.SettingSource;
import java.nio.file.Path;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What an engine is told of the NameNode that it works for.
 *
 * @param folder of the NameNode; the engine writes nothing into it but {@code storeFolder}
 * @param storeFolder where an engine that is not shared keeps its store; need not be there
 * @param tables all tables of the store
 * @param passingRowsKeptMs how long a row of a passing table is kept at least
 * @param owner whose store it is: written down when it is formatted, compared when it is opened;
 *     null where it is not known yet
 * @param site its settings
 */
public record EngineContext(
    Path folder,
    Path storeFolder,
    Set<Table> tables,
    long passingRowsKeptMs,
    @Nullable String owner,
    SettingSource site) {

  public EngineContext {
    tables = Set.copyOf(tables);
  }
}
