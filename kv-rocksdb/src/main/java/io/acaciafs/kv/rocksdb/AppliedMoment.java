package io.acaciafs.kv.rocksdb;

import io.acaciafs.kv.ConflictException;
import io.acaciafs.kv.Key;
import io.acaciafs.kv.KeyRange;
import io.acaciafs.kv.Reader;
import io.acaciafs.kv.Scan;
import io.acaciafs.kv.rocksdb.common.Gate;
import io.acaciafs.kv.rocksdb.memtable.Memtable;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * All rows of a database after one batch. Its methods throw {@link ConflictException} when the
 * moment cannot be shown any more. Immutable.
 */
record AppliedMoment(Database database, Memtable.Moment moment) implements Reader {
  static AppliedMoment now(Database database) {
    return new AppliedMoment(database, database.memtable().durableMoment());
  }

  @Override
  public byte @Nullable [] get(Key key) {
    Gate gate = database.gate();
    gate.enter();
    try {
      return database.get(key, moment);
    } finally {
      gate.leave();
    }
  }

  @Override
  public Scan scan(KeyRange range) {
    return scan(List.of(range));
  }

  @Override
  public Scan scan(List<KeyRange> ranges) {
    Gate gate = database.gate();
    gate.enter();
    try {
      return database.scan(ranges, moment);
    } finally {
      gate.leave();
    }
  }
}
