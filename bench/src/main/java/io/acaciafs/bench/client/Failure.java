package io.acaciafs.bench.client;

/**
 * Calls that failed in the same way.
 *
 * @param count how many
 * @param example the message of one of them
 */
public record Failure(long count, String example) {

  Failure plus(Failure other) {
    return new Failure(count + other.count, example);
  }
}
