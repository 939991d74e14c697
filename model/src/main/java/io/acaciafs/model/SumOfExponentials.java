package io.acaciafs.model;

import java.util.ArrayList;
import java.util.List;

/**
 * The distribution of a constant and a sum of independent times, each of which is 0 with some
 * probability and else exponential. By partial fractions; means that are too close to each other
 * are moved apart by a thousandth. Immutable.
 */
final class SumOfExponentials {
  private static final double APART = 1.001;
  private static final int BISECTIONS = 100;

  /**
   * One of them.
   *
   * @param probability that it is not 0
   * @param mean where it is not 0
   */
  record Part(double probability, double mean) {}

  private final double constant;
  private final List<Part> parts;

  SumOfExponentials(double constant, List<Part> all) {
    this.constant = constant;
    List<Part> apart = new ArrayList<>();
    for (Part part : all.stream().filter(p -> p.probability > 0 && p.mean > 0).toList()) {
      double mean = part.mean;
      while (isNear(apart, mean)) {
        mean *= APART;
      }
      apart.add(new Part(part.probability, mean));
    }
    parts = List.copyOf(apart);
  }

  private static boolean isNear(List<Part> parts, double mean) {
    return parts.stream()
        .anyMatch(part -> Math.max(part.mean, mean) / Math.min(part.mean, mean) < APART);
  }

  double mean() {
    return constant + parts.stream().mapToDouble(part -> part.probability * part.mean).sum();
  }

  /** The probability that it takes longer. */
  double exceeds(double time) {
    double rest = time - constant;
    if (rest < 0) {
      return 1;
    }
    double sum = 0;
    for (int subset = 1; subset < 1 << parts.size(); subset++) {
      double probability = 1;
      for (int i = 0; i < parts.size(); i++) {
        double p = parts.get(i).probability;
        probability *= (subset >> i & 1) == 1 ? p : 1 - p;
      }
      sum += probability * exceeds(subset, rest);
    }
    return sum;
  }

  /** That the sum of these is longer. */
  private double exceeds(int subset, double time) {
    double sum = 0;
    for (int i = 0; i < parts.size(); i++) {
      if ((subset >> i & 1) == 1) {
        double mean = parts.get(i).mean;
        double factor = 1;
        for (int j = 0; j < parts.size(); j++) {
          if (j != i && (subset >> j & 1) == 1) {
            factor *= mean / (mean - parts.get(j).mean);
          }
        }
        sum += factor * Math.exp(-time / mean);
      }
    }
    return sum;
  }

  /**
   * @param part of all that takes no longer, below 1
   */
  double quantile(double part) {
    if (Double.isInfinite(mean())) {
      return Double.POSITIVE_INFINITY;
    }
    double low = 0;
    double high = mean();
    while (exceeds(high) > 1 - part) {
      high *= 2;
    }
    for (int i = 0; i < BISECTIONS; i++) {
      double middle = (low + high) / 2;
      if (exceeds(middle) > 1 - part) {
        low = middle;
      } else {
        high = middle;
      }
    }
    return high;
  }
}
