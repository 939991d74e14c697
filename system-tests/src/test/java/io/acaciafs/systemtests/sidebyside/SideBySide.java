package io.acaciafs.systemtests.sidebyside;

import io.acaciafs.systemtests.harness.Cluster;
import io.acaciafs.systemtests.harness.NameNodeProgram;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.security.UserGroupInformation;

/** Acacia and Hadoop's NameNode, each with a DataNode and the same tree. Not thread-safe. */
final class SideBySide implements AutoCloseable {
  private final Side ours;
  private final Side hadoops;
  private final FixtureTree ourTree;
  private final FixtureTree hadoopsTree;
  private final String superuser;
  private final KnownDifferences known;
  private final List<String> differences = new ArrayList<>();

  SideBySide(String name, KnownDifferences known) throws Exception {
    this.known = known;
    superuser = UserGroupInformation.getCurrentUser().getShortUserName();
    ours = start(name, NameNodeProgram.ACACIA);
    hadoops = start(name + "-hadoop", NameNodeProgram.HADOOP);
    ourTree = new FixtureTree(ours, superuser);
    hadoopsTree = new FixtureTree(hadoops, superuser);
    rebuild();
  }

  private static Side start(String name, NameNodeProgram program) throws Exception {
    return new Side(
        Cluster.builder(name)
            .program(program)
            .set("hadoop.user.group.static.mapping.overrides", FixtureTree.GROUPS)
            .dataNodes(0)
            .set("dfs.namenode.heartbeat.recheck-interval", 3_600_000)
            .set("dfs.namenode.stale.datanode.interval", 3_600_000)
            // a connection of the test's client is there as long as the client wants it
            .set("hadoop.http.idle_timeout.ms", 600_000)
            // nothing has to outlive a power loss here
            .set("dfs.namenode.edits.noeditlogchannelflush", true)
            .set("dfs.namenode.accesstime.precision", 0)
            // no call leaves the shortest window while a test runs
            .set("dfs.namenode.top.windows.minutes", "25")
            .start());
  }

  String superuser() {
    return superuser;
  }

  Side ours() {
    return ours;
  }

  Side hadoops() {
    return hadoops;
  }

  /**
   * Users of requests: a superuser; if the path matters, also the owner of some files; if the
   * user's groups matter, also another user.
   */
  List<String> usersFor(Request request) {
    List<String> users = new ArrayList<>(List.of(superuser));
    String changes = request.changes().toString();
    if (request.changes().isEmpty() || changes.contains("=/")) {
      users.add(FixtureTree.ALICE);
    }
    if (changes.matches("(?s).*=/t/(acl|alice|sticky|unreadable).*")) {
      users.add(FixtureTree.BOB);
    }
    return users;
  }

  /** The same tree on both, as new. */
  void rebuild() throws IOException {
    ourTree.build();
    hadoopsTree.build();
  }

  /** Asks both; after what may have changed something compares and restores the trees. */
  void compare(String user, Request request) throws IOException {
    Answer expected = hadoops.ask(user, request);
    Answer answer = ours.ask(user, request);
    note(user + ": " + request, expected, answer);
    boolean looks =
        request.method().matches("(get|list|is|check).*|renewLease|msync|reportBadBlocks");
    // HDFS deletes what create is to overwrite before it looks at all that may be wrong
    boolean isHarmless =
        expected.isRefusal() && answer.isRefusal() && !request.method().equals("create");
    if (!looks && !isHarmless) {
      if (expected.equals(answer)) {
        note(
            "tree after " + user + ": " + request,
            new Answer(false, hadoopsTree.pictureAfter(request.toString())),
            new Answer(false, ourTree.pictureAfter(request.toString())));
      }
      restoreAfter(request.toString());
    }
  }

  /** The same without looking at what has changed: in safe mode nothing does. */
  void compareInSafeMode(String user, Request request) throws IOException {
    note(
        "in safe mode " + user + ": " + request,
        hadoops.ask(user, request),
        ours.ask(user, request));
  }

  /** Makes anew on both what a request may have changed. */
  void restoreAfter(String request) throws IOException {
    ourTree.restoreAfter(request);
    hadoopsTree.restoreAfter(request);
  }

  void note(String what, Answer expected, Answer answer) {
    if (!answer.equals(expected) && !known.covers(what, expected, answer)) {
      differences.add(what + "\n  HDFS:   " + expected.text() + "\n  Acacia: " + answer.text());
    }
  }

  /** All that was not the same, and is not known, since the last call. */
  List<String> takeDifferences() {
    List<String> taken = List.copyOf(differences);
    differences.clear();
    return taken;
  }

  @Override
  public void close() throws IOException {
    try {
      ours.close();
    } finally {
      hadoops.close();
    }
  }
}
