package io.acaciafs.namespace.context;

import io.acaciafs.namespace.record.Inode;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The caller of an operation. Groups are looked up only when a permission depends on them, as the
 * look-up may be slow. Safe for use by many threads.
 */
public final class Caller {
  private final Identity identity;
  private final @Nullable CallId call;
  private final @Nullable Consumer<Inode.Attributes> onSubject;
  private final @Nullable Runnable pause;
  private final @Nullable ExternalAuthorizer authorizer;
  private volatile @Nullable Set<String> groups;

  /**
   * The user, and where he calls from.
   *
   * @param user short name
   * @param clientMachine IP address that the call came from
   * @param processOwner whether this is the user that the NameNode runs as
   * @param superGroup each member of this group is a superuser as well
   * @param groupLookup the groups of the user; called at most a few times
   * @param method of the protocol, for refusals; null: none
   */
  public record Identity(
      String user,
      String clientMachine,
      boolean processOwner,
      String superGroup,
      Supplier<Set<String>> groupLookup,
      @Nullable String method) {}

  public Caller(Identity identity) {
    this(identity, null, null, null, null);
  }

  private Caller(
      Identity identity,
      @Nullable CallId call,
      @Nullable Consumer<Inode.Attributes> onSubject,
      @Nullable Runnable pause,
      @Nullable ExternalAuthorizer authorizer) {
    this.identity = identity;
    this.call = call;
    this.onSubject = onSubject;
    this.pause = pause;
    this.authorizer = authorizer;
  }

  /** The same, in a call that can be recognised when it comes again. */
  public Caller in(CallId newCall) {
    return new Caller(identity, newCall, onSubject, pause, authorizer);
  }

  /**
   * The same, with a listener that is told what each operation was about: the attributes,
   * afterwards, of the inode that it wrote last, or else found last. Told at each attempt, before
   * the commit.
   */
  public Caller tellingOf(Consumer<Inode.Attributes> watcher) {
    return new Caller(identity, call, watcher, pause, authorizer);
  }

  /**
   * The same, served after others.
   *
   * @param newPause is run now and then in what takes long, on the thread that does it
   */
  public Caller pausing(Runnable newPause) {
    return new Caller(identity, call, onSubject, newPause, authorizer);
  }

  /** The same, where a class of the site decides what the caller may do. */
  public Caller judgedBy(ExternalAuthorizer newAuthorizer) {
    return new Caller(identity, call, onSubject, pause, newAuthorizer);
  }

  /** Null: HDFS's rules decide. */
  public @Nullable ExternalAuthorizer authorizer() {
    return authorizer;
  }

  /** To be called now and then by what takes long. */
  public void pause() {
    if (pause != null) {
      pause.run();
    }
  }

  /** Null: nobody is told. */
  public @Nullable Consumer<Inode.Attributes> onSubject() {
    return onSubject;
  }

  /** Null where a repetition cannot be recognised. */
  public @Nullable CallId call() {
    return call;
  }

  /** The method of the protocol; null: none. */
  public @Nullable String method() {
    return identity.method;
  }

  /** The NameNode itself, for its background work. */
  public static Caller superuser(String user) {
    return new Caller(new Identity(user, "", true, "", Set::of, null));
  }

  public String user() {
    return identity.user;
  }

  public String clientMachine() {
    return identity.clientMachine;
  }

  public boolean isSuperuser() {
    return identity.processOwner || isMemberOf(identity.superGroup);
  }

  /** The groups, if anything depended on them so far; else null. */
  public @Nullable Set<String> groupsIfAsked() {
    return groups;
  }

  public boolean isMemberOf(String group) {
    Set<String> known = groups;
    if (known == null) {
      known = identity.groupLookup.get();
      groups = known;
    }
    return known.contains(group);
  }
}
