package io.acaciafs.kv.run;

import java.util.List;
import java.util.stream.Stream;

/** Long lists, as much at a time as one transaction takes. Stateless. */
public final class Slices {
  private Slices() {}

  /**
   * All of a list in its order.
   *
   * @param most how many a slice has; the last one may have fewer
   * @return views of the list
   */
  public static <T> Stream<List<T>> of(List<T> list, int most) {
    return Stream.iterate(0, from -> from < list.size(), from -> from + most)
        .map(from -> list.subList(from, Math.min(list.size(), from + most)));
  }
}
