package io.acaciafs.namenode.monitor.history;

import java.util.Locale;

/** A figure whose history is kept. Rates are calls a second. */
public enum Series {
  LOOKUP(Fold.MEAN),
  LIST(Fold.MEAN),
  OPEN(Fold.MEAN),
  CREATE(Fold.MEAN),
  WRITE(Fold.MEAN),
  RENAME(Fold.MEAN),
  DELETE(Fold.MEAN),
  OTHER(Fold.MEAN),
  DATANODE(Fold.MEAN),
  /** Half of the clients' calls took no longer. */
  P50_MS(Fold.MEAN),
  /** 99 % of them did. */
  P99_MS(Fold.MAX),
  /** Calls that wait for a worker. */
  QUEUED(Fold.MAX),
  /** Blocks with too few replicas. */
  REPAIR(Fold.MAX),
  MISSING(Fold.MAX),
  HEAP_MIB(Fold.MAX),
  DISK_FREE_MIB(Fold.MIN),
  /** Of the log, on a NameNode that stands by. */
  ENTRIES_BEHIND(Fold.MAX);

  private final Fold fold;

  Series(Fold fold) {
    this.fold = fold;
  }

  /** What several samples of one step become. */
  Fold fold() {
    return fold;
  }

  /** In answers: p99Ms. */
  String key() {
    StringBuilder key = new StringBuilder();
    for (String word : name().toLowerCase(Locale.ROOT).split("_")) {
      key.append(key.isEmpty() ? word : Character.toUpperCase(word.charAt(0)) + word.substring(1));
    }
    return key.toString();
  }

  /** Samples of one step become one number. */
  enum Fold {
    MEAN {
      @Override
      float next(float known, float sample, int count) {
        return known + (sample - known) / count;
      }
    },
    MAX {
      @Override
      float next(float known, float sample, int count) {
        return Math.max(known, sample);
      }
    },
    MIN {
      @Override
      float next(float known, float sample, int count) {
        return Math.min(known, sample);
      }
    };

    /**
     * @param count of the samples, this one included: at least 2
     */
    abstract float next(float known, float sample, int count);
  }
}
