package io.acaciafs.namenode.monitor;

import io.acaciafs.kv.KeyRange;
import io.acaciafs.kv.Scan;
import io.acaciafs.kv.Store;
import io.acaciafs.kv.Table;
import java.time.Clock;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * How many rows a table has: counted where they are few, else about, by the engine's own estimate;
 * not known where the engine has none. Never looks at more than {@link #MOST_COUNTED} rows, and
 * keeps what it has found for a hundred times as long as that took. Safe for use by many threads.
 */
public final class RowCounts {
  static final int MOST_COUNTED = 10_000;

  /** Rows written several times of late may count as often, so an estimate is rather too high. */
  private static final int MOST_ESTIMATED = 4 * MOST_COUNTED;

  private static final long KEEP_AT_LEAST_MS = 200;
  private static final int KEEP_TIMES = 100;

  private record Count(OptionalLong rows, long untilMs) {}

  private final Store store;
  private final Map<String, Table> tables;
  private final Clock clock;
  private final Map<String, Count> counts = new ConcurrentHashMap<>();

  public RowCounts(Store store, Set<Table> tables, Clock clock) {
    this.store = store;
    this.tables = tables.stream().collect(Collectors.toMap(Table::name, Function.identity()));
    this.clock = clock;
  }

  /** Null where it is not known. */
  public @Nullable Long of(String table) {
    Count count =
        counts.compute(
            table,
            (name, last) ->
                last != null && clock.millis() < last.untilMs
                    ? last
                    : look(Objects.requireNonNull(tables.get(name), name)));
    return count.rows.isPresent() ? count.rows.getAsLong() : null;
  }

  private Count look(Table table) {
    long beginMs = clock.millis();
    OptionalLong rows = count(table);
    long nowMs = clock.millis();
    return new Count(rows, nowMs + Math.max(KEEP_AT_LEAST_MS, KEEP_TIMES * (nowMs - beginMs)));
  }

  private OptionalLong count(Table table) {
    OptionalLong estimate = store.estimatedRows(table);
    if (estimate.isPresent() && estimate.getAsLong() > MOST_ESTIMATED) {
      return estimate;
    }
    long rows = 0;
    try (Scan scan = store.scan(KeyRange.ofTable(table))) {
      while (scan.hasNext()) {
        scan.next();
        if (++rows > MOST_COUNTED) {
          return estimate;
        }
      }
    }
    return OptionalLong.of(rows);
  }
}
