package io.acaciafs.namenode.members;

import io.acaciafs.kv.Transaction;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;

/** The NameNodes that serve one store, this one among them. Safe for use by many threads. */
public interface Members extends AutoCloseable {

  Member self();

  /**
   * All that may be serving, as last heard; this one always. One that ended without a word stays
   * until its lease has run out; one that has just begun may be missing for a moment.
   */
  SortedSet<Member> live();

  /** Those that ended without a word in the last day, as far as this one saw, and are not back. */
  default List<DepartedMember> departed() {
    return List.of();
  }

  /** Reads which NameNodes serve now. Does nothing where none can come or go. */
  default void look() {}

  /**
   * Has a listener run after each change of {@link #live}, on a thread of this object: it must not
   * wait there for more than a moment.
   */
  void onChange(Runnable listener);

  /**
   * Whether no other NameNode can have come to take this one for dead so far. An answer that rests
   * on what others would have told this NameNode needs this check after all reading is done, and
   * before the answer is handed on: until then they certainly asked it about their changes.
   */
  boolean leaseHolds();

  /** Has a transaction fail if the others have taken this NameNode for dead before its commit. */
  default void requireSelf(Transaction transaction) {}

  /** Whether work that one alone is to do is this one's: the longest-serving member's. */
  default boolean isFirst() {
    return live().first().equals(self());
  }

  @Override
  void close();

  /** The only NameNode of a store that no other can open. */
  static Members alone(Member self) {
    SortedSet<Member> all = Collections.unmodifiableSortedSet(new TreeSet<>(Set.of(self)));
    return new Members() {
      @Override
      public Member self() {
        return self;
      }

      @Override
      public SortedSet<Member> live() {
        return all;
      }

      @Override
      public void onChange(Runnable listener) {
        // no other comes or goes
      }

      @Override
      public boolean leaseHolds() {
        return true;
      }

      @Override
      public void close() {
        // there is no other to tell
      }
    };
  }
}
