package io.acaciafs.kv.testkit;

import static java.util.stream.Collectors.toUnmodifiableSet;

import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;
import java.util.Set;

/** Methods by their names, for proxies: a name that an interface has no more is refused. */
public final class Methods {
  private Methods() {}

  /**
   * The only method of this name.
   *
   * @throws IllegalArgumentException if there is none, or more than one
   */
  public static Method named(Class<?> type, String name) {
    List<Method> found =
        Arrays.stream(type.getMethods()).filter(method -> method.getName().equals(name)).toList();
    if (found.size() != 1) {
      throw new IllegalArgumentException(found.size() + " methods " + name + " in " + type);
    }
    return found.get(0);
  }

  /**
   * All methods of these names.
   *
   * @throws IllegalArgumentException if there is none of one of them
   */
  public static Set<Method> allNamed(Class<?> type, String... names) {
    Set<Method> found =
        Arrays.stream(type.getMethods())
            .filter(method -> List.of(names).contains(method.getName()))
            .collect(toUnmodifiableSet());
    for (String name : names) {
      if (found.stream().noneMatch(method -> method.getName().equals(name))) {
        throw new IllegalArgumentException("No method " + name + " in " + type);
      }
    }
    return found;
  }
}
