package io.acaciafs.bench.client;

/**
 * How many clients there are, and how many calls each has in flight.
 *
 * @param connections at least one
 * @param callsInFlight of each, at least one
 */
public record Shape(int connections, int callsInFlight) {

  /** All calls in flight. */
  public int slots() {
    return connections * callsInFlight;
  }

  @Override
  public String toString() {
    return connections + " x " + callsInFlight;
  }
}
