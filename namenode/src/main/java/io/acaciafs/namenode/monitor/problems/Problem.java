package io.acaciafs.namenode.monitor.problems;

/**
 * Something is wrong now.
 *
 * @param kind what it is
 * @param subject what it concerns, if there may be several of one kind; else empty
 * @param cause a sentence for people, which may change while the problem lasts
 */
public record Problem(ProblemKind kind, String subject, String cause) {
  public Problem(ProblemKind kind, String cause) {
    this(kind, "", cause);
  }
}
