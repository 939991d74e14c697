package io.acaciafs.kv.check;

import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Set;

/** Remembers the last names that it was given, so that nothing is told twice. For one thread. */
final class RecentNames {
  private static final int MOST = 10_000;

  private final Set<String> names = new LinkedHashSet<>();

  /**
   * @return whether it is a new one
   */
  boolean add(String name) {
    if (!names.add(name)) {
      return false;
    }
    if (names.size() > MOST) {
      Iterator<String> oldest = names.iterator();
      oldest.next();
      oldest.remove();
    }
    return true;
  }
}
