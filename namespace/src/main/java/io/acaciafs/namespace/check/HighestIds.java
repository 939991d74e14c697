package io.acaciafs.namespace.check;

import io.acaciafs.kv.Reader;
import io.acaciafs.kv.check.Finding;
import io.acaciafs.kv.check.Question;
import io.acaciafs.namespace.record.IdKind;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;

/** The highest ids that were seen; nobody may be given them once more. For one thread. */
final class HighestIds {
  private final Map<IdKind, Long> ids = new EnumMap<>(IdKind.class);

  void inode(long id) {
    ids.merge(IdKind.INODE, id, Math::max);
  }

  void block(long id) {
    ids.merge(IdKind.BLOCK, id, Math::max);
  }

  void job(long id) {
    ids.merge(IdKind.JOB, id, Math::max);
  }

  /** Whether the ids that come next lie above all of these. */
  Question question(IdKind kind) {
    return (reader, findings) -> {
      Long highest = ids.get(kind);
      if (highest != null && next(reader, kind) <= highest) {
        findings.accept(
            Finding.damage(
                "id-counter",
                "kind=" + kind.name().toLowerCase(Locale.ROOT),
                "Ids are in use up to "
                    + highest
                    + ", and the next one to be given out is "
                    + next(reader, kind)
                    + ".",
                tx -> kind.skipTo(tx, highest + 1)));
      }
    };
  }

  private static long next(Reader reader, IdKind kind) {
    Long next = Rows.decoded(() -> kind.peekNext(reader));
    return next == null ? Long.MIN_VALUE : next;
  }
}
