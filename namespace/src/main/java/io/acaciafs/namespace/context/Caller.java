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
  private final String user;
  private final String clientMachine;
  private final boolean processOwner;
  private final String superGroup;
  private final Supplier<Set<String>> groupLookup;
  private final @Nullable String method;
  private final @Nullable CallId call;
  private final @Nullable Consumer<Inode.Attributes> onSubject;
  private final @Nullable Runnable pause;
  private volatile @Nullable Set<String> groups;

  /**
   * @param user short name
   * @param clientMachine IP address that the call came from
   * @param processOwner whether this is the user that the NameNode runs as
   * @param superGroup each member of this group is a superuser as well
   * @param groupLookup the groups of the user; called at most a few times
   * @param method of the protocol, for refusals; null: none
   */
  public Caller(
      String user,
      String clientMachine,
      boolean processOwner,
      String superGroup,
      Supplier<Set<String>> groupLookup,
      @Nullable String method) {
    this(user, clientMachine, processOwner, superGroup, groupLookup, method, null, null, null);
  }

  private Caller(
      String user,
      String clientMachine,
      boolean processOwner,
      String superGroup,
      Supplier<Set<String>> groupLookup,
      @Nullable String method,
      @Nullable CallId call,
      @Nullable Consumer<Inode.Attributes> onSubject,
      @Nullable Runnable pause) {
    this.user = user;
    this.clientMachine = clientMachine;
    this.processOwner = processOwner;
    this.superGroup = superGroup;
    this.groupLookup = groupLookup;
    this.method = method;
    this.call = call;
    this.onSubject = onSubject;
    this.pause = pause;
  }

  /** The same, in a call that can be recognised when it comes again. */
  public Caller in(CallId newCall) {
    return new Caller(
        user,
        clientMachine,
        processOwner,
        superGroup,
        groupLookup,
        method,
        newCall,
        onSubject,
        pause);
  }

  /**
   * The same, with a listener that is told what each operation was about: the attributes,
   * afterwards, of the inode that it wrote last, or else found last. Told at each attempt, before
   * the commit.
   */
  public Caller tellingOf(Consumer<Inode.Attributes> watcher) {
    return new Caller(
        user, clientMachine, processOwner, superGroup, groupLookup, method, call, watcher, pause);
  }

  /**
   * The same, served after others.
   *
   * @param newPause is run now and then in what takes long, on the thread that does it
   */
  public Caller pausing(Runnable newPause) {
    return new Caller(
        user,
        clientMachine,
        processOwner,
        superGroup,
        groupLookup,
        method,
        call,
        onSubject,
        newPause);
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
    return method;
  }

  /** The NameNode itself, for its background work. */
  public static Caller superuser(String user) {
    return new Caller(user, "", true, "", Set::of, null);
  }

  public String user() {
    return user;
  }

  public String clientMachine() {
    return clientMachine;
  }

  public boolean isSuperuser() {
    return processOwner || isMemberOf(superGroup);
  }

  /** The groups, if anything depended on them so far; else null. */
  public @Nullable Set<String> groupsIfAsked() {
    return groups;
  }

  public boolean isMemberOf(String group) {
    Set<String> known = groups;
    if (known == null) {
      known = groupLookup.get();
      groups = known;
    }
    return known.contains(group);
  }
}
