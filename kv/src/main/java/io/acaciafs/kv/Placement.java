package io.acaciafs.kv;

/**
 * Where an engine puts rows. Rows of the same placement group lie together, most likely, whatever
 * their tables, so that a transaction over them is cheap: a caller that is free to choose a key
 * does well to choose one in the group of the rows that are written with it. Safe for use by many
 * threads.
 */
public interface Placement {
  /** All rows lie together. */
  Placement TOGETHER =
      new Placement() {
        @Override
        public int groups() {
          return 1;
        }

        @Override
        public int groupOf(Key key) {
          return 0;
        }
      };

  /** How many groups there are, at least 1. */
  int groups();

  /** The group of a row, from 0; -1: in none. */
  int groupOf(Key key);
}
