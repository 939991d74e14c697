package io.acaciafs.namespace;

import java.util.Set;
import java.util.function.Supplier;

/**
 * Who asks for an operation. Groups are looked up only when a permission depends on them, as the
 * look-up may be slow. Safe for use by many threads.
 */
public final class Caller {
  private final String user;
  private final String clientMachine;
  private final boolean processOwner;
  private final String superGroup;
  private final Supplier<Set<String>> groupLookup;
  private final CallId call;
  private volatile Set<String> groups;

  /**
   * @param user short name
   * @param clientMachine IP address that the call came from
   * @param processOwner whether this is the user that the NameNode runs as
   * @param superGroup whoever is in this group is a superuser as well
   * @param groupLookup the groups of the user; called at most a few times
   */
  public Caller(
      String user,
      String clientMachine,
      boolean processOwner,
      String superGroup,
      Supplier<Set<String>> groupLookup) {
    this(user, clientMachine, processOwner, superGroup, groupLookup, null);
  }

  private Caller(
      String user,
      String clientMachine,
      boolean processOwner,
      String superGroup,
      Supplier<Set<String>> groupLookup,
      CallId call) {
    this.user = user;
    this.clientMachine = clientMachine;
    this.processOwner = processOwner;
    this.superGroup = superGroup;
    this.groupLookup = groupLookup;
    this.call = call;
  }

  /** The same, in a call that can be recognised when it comes again. */
  public Caller in(CallId newCall) {
    return new Caller(user, clientMachine, processOwner, superGroup, groupLookup, newCall);
  }

  /** Null where a repetition cannot be recognised. */
  CallId call() {
    return call;
  }

  /** The NameNode itself, for its background work. */
  public static Caller superuser(String user) {
    return new Caller(user, "", true, "", Set::of);
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
  public Set<String> groupsIfAsked() {
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
