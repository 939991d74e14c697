package io.acaciafs.bench.security;

import io.acaciafs.bench.Bench;
import io.acaciafs.bench.Measurement;
import io.acaciafs.bench.client.Shape;
import io.acaciafs.bench.compare.Plan;
import io.acaciafs.bench.workload.Operation;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * What both NameNodes are measured at, one behind the other.
 *
 * @param opens whether clients open a connection for each operation; else theirs stay open
 */
record Turn(Shape shape, boolean opens, Proof proof) {
  /** So many at a time that a connection waits for the processor, and seldom for another one. */
  private static final Shape CLIENTS_THAT_OPEN = new Shape(16, 1);

  static final Operation OPERATION = Operation.STAT;

  /** Those of a group are measured in turn, so that they can be compared. */
  static List<List<Turn>> groups() {
    List<List<Turn>> groups = new ArrayList<>();
    for (Shape shape : List.of(Plan.MANY_IN_FLIGHT, Plan.MANY_CLIENTS)) {
      groups.add(of(shape, false, Proof.values()));
    }
    groups.add(of(CLIENTS_THAT_OPEN, true, Proof.NOTHING, Proof.TICKET, Proof.TOKEN));
    return groups;
  }

  private static List<Turn> of(Shape shape, boolean opens, Proof... proofs) {
    List<Turn> turns = new ArrayList<>();
    for (Proof proof : proofs) {
      turns.add(new Turn(shape, opens, proof));
    }
    return turns;
  }

  Measurement measure(Bench bench) throws IOException {
    return opens ? bench.measureConnections(OPERATION) : bench.measure(OPERATION).get(0);
  }

  /** For people. */
  String describe() {
    return String.join(
            " ", opens ? "open" : "call", shape.toString(), proof.by(), proof.protectionName())
        .strip();
  }
}
