package io.acaciafs.namenode.audit;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Comparator;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.server.namenode.top.window.RollingWindowManager.TopWindow;
import org.junit.jupiter.api.Test;

/** The counts of nntop. */
class TopUsersTest {
  private final AtomicLong clockMs = new AtomicLong(TimeUnit.HOURS.toMillis(1));
  private final Configuration conf = new Configuration(false);

  @Test
  void windowsForgetAtTheirOwnPace() {
    TopUsers users = new TopUsers(conf, clockMs::get);
    count(users, "alice", "open", 5);
    count(users, "bob", "open", 7);
    count(users, "bob", "create", 1);
    assertThat(users.windows()).hasSize(3);
    assertThat(totals(users, 60_000))
        .isEqualTo("*=13[bob=8, alice=5] create=1[bob=1] open=12[bob=7, alice=5]");
    clockMs.addAndGet(TimeUnit.MINUTES.toMillis(2));
    count(users, "alice", "open", 1);
    assertThat(totals(users, 60_000)).isEqualTo("*=1[alice=1] open=1[alice=1]");
    assertThat(totals(users, 300_000)).startsWith("*=14[bob=8, alice=6]");
  }

  @Test
  void theAttributeIsThatOfHdfs() {
    TopUsers users = new TopUsers(conf, clockMs::get);
    count(users, "alice", "open", 2);
    assertThat(users.topUserOpCounts())
        .contains("\"windowLenMs\":60000")
        .contains("\"topUsers\":[{\"user\":\"alice\",\"count\":2}]")
        .contains("\"opType\":\"open\"")
        .contains("\"totalCount\":2")
        .contains("\"timestamp\":\"");
  }

  @Test
  void nothingIsCountedWhereItIsOff() {
    conf.setBoolean("dfs.namenode.top.enabled", false);
    TopUsers users = new TopUsers(conf, clockMs::get);
    count(users, "alice", "open", 2);
    assertThat(users.topUserOpCounts()).isNull();
    assertThat(users.windows()).isEmpty();
    assertThat(users.windowsMs()).isEmpty();
  }

  @Test
  void veryManyUsersAreCountedTogether() {
    TopUsers users = new TopUsers(conf, clockMs::get);
    count(users, "alice", "open", 9_000);
    count(users, "x".repeat(4000), "open", 1);
    for (int i = 0; i < 4 * TopUsers.MANY_USERS; i++) {
      users.command(i % 2 == 0 ? "open" : "create").count("user-" + i);
      if (i % 3_000 == 0) {
        users.flush();
      }
    }
    assertThat(totals(users, 1_500_000)).contains("[all others=1", ", alice=9000, user-");
    assertThat(users.windows().get(2).getOps().get(0).getAllUsers())
        .hasSizeLessThanOrEqualTo(TopUsers.MANY_USERS + 1);
    clockMs.addAndGet(TimeUnit.HOURS.toMillis(1));
    count(users, "bob", "open", 2);
    assertThat(totals(users, 1_500_000)).startsWith("*=2[bob=2]");
  }

  private static void count(TopUsers users, String user, String command, int times) {
    for (int i = 0; i < times; i++) {
      users.command(command).count(user);
    }
  }

  private static String totals(TopUsers users, int windowMs) {
    TopWindow window = users.window(windowMs);
    StringBuilder text = new StringBuilder();
    window.getOps().stream()
        .sorted(Comparator.comparing(op -> op.getOpType()))
        .forEach(
            op ->
                text.append(text.isEmpty() ? "" : " ")
                    .append(op.getOpType())
                    .append('=')
                    .append(op.getTotalCount())
                    .append(
                        op.getTopUsers().stream()
                            .map(user -> user.getUser() + "=" + user.getCount())
                            .toList()));
    return text.toString();
  }
}
