package io.acaciafs.bench.compare;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * A namespace that was loaded for a benchmark, and that nobody serves yet.
 *
 * @param files loaded
 * @param loadedPerSecond files, with the start of the JVM that loads them
 * @param diskBytes of the whole folder behind that
 * @param firstCallMs from the start of a NameNode's process to its first answer
 */
record LoadedNamespace(
    long files, Site site, double loadedPerSecond, long diskBytes, double firstCallMs) {
  private static final Duration LOAD_LIMIT = Duration.ofHours(2);
  private static final int STARTS = 3;

  /** Formats a site and loads it; for minutes when it is large. */
  static LoadedNamespace load(Site site, long files) throws IOException {
    Server.format(site);
    long begin = System.nanoTime();
    site.run(List.of("bench", "load", "--files=" + files), "load", LOAD_LIMIT);
    double seconds = (System.nanoTime() - begin) / 1e9;
    return new LoadedNamespace(
        files, site, files / seconds, DiskUse.bytes(site.names()), firstCallMs(site));
  }

  /** The median of a few starts. */
  private static double firstCallMs(Site site) throws IOException {
    List<Double> times = new ArrayList<>();
    for (int i = 0; i < STARTS; i++) {
      times.add(FirstCall.ms(site));
    }
    times.sort(null);
    return times.get(STARTS / 2);
  }
}
