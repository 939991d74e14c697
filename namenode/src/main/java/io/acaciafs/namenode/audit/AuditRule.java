package io.acaciafs.namenode.audit;

import java.util.List;
import java.util.function.Function;
import java.util.function.Predicate;
import org.apache.hadoop.thirdparty.protobuf.Message;
import org.jspecify.annotations.Nullable;

/**
 * How the calls of one method appear in the audit log. Not changed any more once {@link AuditRules}
 * has made it; then for many threads.
 */
final class AuditRule {
  /** A call that is many accesses in one. */
  @FunctionalInterface
  interface Many {
    List<Access> of(Message request, @Nullable Message reply);
  }

  private @Nullable String constantCommand;
  private Function<Message, String> command;
  private Function<Message, String> source = request -> null;
  private Function<Message, String> deniedSource = request -> null;
  private Function<Message, String> destination = request -> null;
  private @Nullable Predicate<Message> written;
  private @Nullable Predicate<Message> allowed;
  private @Nullable Many each;
  private boolean tellsStatus;

  private AuditRule(String command) {
    this.constantCommand = command;
    this.command = request -> command;
  }

  /** Of no path. */
  static AuditRule of(String command) {
    return new AuditRule(command);
  }

  /** Of one path. */
  static <Q extends Message> AuditRule of(
      String command, Class<Q> type, Function<Q, String> source) {
    AuditRule rule = new AuditRule(command);
    rule.source = untyped(type, source);
    rule.deniedSource = rule.source;
    return rule;
  }

  private static <Q extends Message> Function<Message, String> untyped(
      Class<Q> type, Function<Q, String> function) {
    return request -> function.apply(type.cast(request));
  }

  /** The request says which operation it is. */
  <Q extends Message> AuditRule named(Class<Q> type, Function<Q, String> name) {
    constantCommand = null;
    command = untyped(type, name);
    return this;
  }

  /** What stands for the source of a call that was refused. */
  <Q extends Message> AuditRule deniedAt(Class<Q> type, Function<Q, String> function) {
    deniedSource = untyped(type, function);
    return this;
  }

  <Q extends Message> AuditRule to(Class<Q> type, Function<Q, String> function) {
    destination = untyped(type, function);
    return this;
  }

  /** Calls with other replies leave no line. */
  AuditRule writtenIf(Predicate<Message> condition) {
    written = condition;
    return this;
  }

  AuditRule allowedIf(Predicate<Message> condition) {
    allowed = condition;
    return this;
  }

  AuditRule each(Many accesses) {
    each = accesses;
    return this;
  }

  /** Owner, group and mode of what was made or changed are written. */
  AuditRule withStatus() {
    tellsStatus = true;
    return this;
  }

  boolean tellsStatus() {
    return tellsStatus;
  }

  /**
   * The command where it is the same for all calls, each of which is one access at most; else null.
   */
  @Nullable String constantCommand() {
    return each == null ? constantCommand : null;
  }

  /** Whether the line depends on the reply, which is small where a call is one access. */
  boolean needsReply() {
    return written != null || allowed != null || each != null;
  }

  /**
   * Whether there is a line of a call that is one access.
   *
   * @param reply may be null unless it is {@linkplain #needsReply needed}
   */
  boolean isWritten(@Nullable Message reply) {
    return written == null || written.test(reply);
  }

  /** What a call that was refused has tried. */
  Access denied(Message request) {
    return new Access(
        false, command.apply(request), deniedSource.apply(request), destination.apply(request));
  }

  /**
   * What a call has done.
   *
   * @param reply may be null unless it is {@linkplain #needsReply needed}
   */
  List<Access> done(Message request, @Nullable Message reply) {
    if (each != null) {
      return each.of(request, reply);
    }
    if (!isWritten(reply)) {
      return List.of();
    }
    return List.of(
        new Access(
            allowed == null || allowed.test(reply),
            command.apply(request),
            source.apply(request),
            destination.apply(request)));
  }
}
