package io.acaciafs.systemtests.sidebyside;

import io.acaciafs.systemtests.harness.Cluster;
import io.acaciafs.systemtests.harness.NameNodeProgram;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
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
  private final ExecutorService hadoopsThread =
      Executors.newSingleThreadExecutor(task -> new Thread(task, "side-of-hadoop"));

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
    onBoth(
        () -> {
          hadoopsTree.build();
          return null;
        },
        () -> {
          ourTree.build();
          return null;
        });
  }

  /** What each of the two NameNodes has given. */
  private record Both<T>(T hadoops, T ours) {}

  /** At the same time: there are some ten thousand calls, and as many restorations. */
  private <T> Both<T> onBoth(Callable<T> onHadoops, Callable<T> onOurs) throws IOException {
    Future<T> given = hadoopsThread.submit(onHadoops);
    try {
      T ofOurs = onOurs.call();
      return new Both<>(given.get(), ofOurs);
    } catch (IOException | RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new IOException(e);
    }
  }

  private Both<Answer> ask(String user, Request request) throws IOException {
    return onBoth(() -> hadoops.ask(user, request), () -> ours.ask(user, request));
  }

  /** Asks both; after what may have changed something compares and restores the trees. */
  void compare(String user, Request request) throws IOException {
    Both<Answer> both = ask(user, request);
    Answer expected = both.hadoops();
    Answer answer = both.ours();
    note(user + ": " + request, expected, answer);
    boolean looks =
        request.method().matches("(get|list|is|check).*|renewLease|msync|reportBadBlocks");
    // HDFS deletes what create is to overwrite before it looks at all that may be wrong
    boolean isHarmless =
        expected.isRefusal() && answer.isRefusal() && !request.method().equals("create");
    if (!looks && !isHarmless) {
      if (expected.equals(answer)) {
        String text = request.toString();
        Both<String> pictures =
            onBoth(() -> hadoopsTree.pictureAfter(text), () -> ourTree.pictureAfter(text));
        note(
            "tree after " + user + ": " + text,
            new Answer(false, pictures.hadoops()),
            new Answer(false, pictures.ours()));
      }
      restoreAfter(request.toString());
    }
  }

  /** The same without looking at what has changed: in safe mode nothing does. */
  void compareInSafeMode(String user, Request request) throws IOException {
    Both<Answer> both = ask(user, request);
    note("in safe mode " + user + ": " + request, both.hadoops(), both.ours());
  }

  /** Makes anew on both what a request may have changed. */
  void restoreAfter(String request) throws IOException {
    onBoth(
        () -> {
          hadoopsTree.restoreAfter(request);
          return null;
        },
        () -> {
          ourTree.restoreAfter(request);
          return null;
        });
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
    hadoopsThread.shutdown();
    try {
      ours.close();
    } finally {
      hadoops.close();
    }
  }
}
