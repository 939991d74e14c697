package io.acaciafs.kv;

/**
 * What an answer rests on: reads rows and keeps in mind which they were, so that one can ask later
 * whether the answer would still be the same. This is what caches of whole answers are made of.
 *
 * <p>Reading is for one thread; once that is over, any number of threads may ask {@link #holds}. It
 * keeps no values and may outlive its store.
 */
public interface ReadSet extends Reader {
  /**
   * Whether everything that was read has been as it was read, all the time from then to some moment
   * after this call began. Cheap, and careful: false where that is not certain. What was false may
   * be true again, when it was only uncertain.
   */
  boolean holds();
}
