package io.acaciafs.namenode.audit;

import static org.assertj.core.api.Assertions.assertThat;

import io.acaciafs.namenode.settings.NameNodeConfigKeys;
import java.lang.reflect.Proxy;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.ipc.CallerContext;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.slf4j.Logger;

/** The queue before the audit log, and what of it is written. */
@Timeout(30)
class AuditLogTest {
  private final BlockingQueue<String> written = new LinkedBlockingQueue<>();
  private final Semaphore disk = new Semaphore(0);
  private final Configuration conf = new Configuration(false);
  private volatile boolean isDebug;

  @Test
  void whoMeetsAFullQueueGoesOnAndIsCounted() throws InterruptedException {
    conf.setInt(NameNodeConfigKeys.AUDIT_QUEUE.name(), 2);
    try (AuditLog log = AuditLog.start(logger(), conf)) {
      log.add(line("first"));
      while (disk.getQueueLength() == 0) {
        Thread.onSpinWait(); // the disk is asked for it
      }
      log.add(line("second"));
      log.add(line("third"));
      log.add(line("fourth"));
      assertThat(log.dropped()).isEqualTo(1);
      disk.release(10);
      assertThat(commands(3)).containsExactly("first", "second", "third");
      log.add(line("fifth"));
      assertThat(commands(1)).containsExactly("fifth");
    }
  }

  @Test
  void largeRequestsAreDroppedBeforeTheyFillTheMemory() throws InterruptedException {
    try (AuditLog log = AuditLog.start(logger(), conf)) {
      log.add(line("first"));
      while (disk.getQueueLength() == 0) {
        Thread.onSpinWait(); // the disk is asked for it
      }
      for (int i = 0; i < 40; i++) {
        log.add(line("large"), 1 << 20);
        log.add(line("small"), 1000);
      }
      assertThat(log.dropped()).isEqualTo(40 - (AuditLog.MOST_LARGE_BYTES >> 20));
      disk.release(1000);
      commands(1 + 40 + 32);
      log.add(line("large again"), 1 << 20);
      assertThat(commands(1)).containsExactly("large again");
    }
  }

  @Test
  void whatIsInTheQueueIsWrittenBeforeTheEnd() {
    disk.release(1000);
    try (AuditLog log = AuditLog.start(logger(), conf)) {
      for (int i = 0; i < 1000; i++) {
        log.add(line("c" + i));
      }
    }
    assertThat(written).hasSize(1000);
  }

  @Test
  void anEventThatFailsTakesNoOtherWithIt() throws InterruptedException {
    disk.release(10);
    try (AuditLog log = AuditLog.start(logger(), conf)) {
      log.add(
          () -> {
            throw new IllegalStateException("broken");
          });
      log.add(line("next"));
      assertThat(commands(1)).containsExactly("next");
    }
  }

  @Test
  void commandsForDebugAreWrittenAtDebugAlone() throws InterruptedException {
    conf.set("dfs.namenode.audit.log.debug.cmdlist", "open, getfileinfo");
    disk.release(10);
    try (AuditLog log = AuditLog.start(logger(), conf)) {
      log.add(line("open"));
      log.add(line("create"));
      assertThat(commands(1)).containsExactly("create");
      isDebug = true;
      log.add(line("open"));
      assertThat(commands(1)).containsExactly("open");
    }
  }

  @Test
  void aTokenAndThePortOfTheClientAreToldWhereAskedFor() throws InterruptedException {
    conf.setBoolean("dfs.namenode.audit.log.token.tracking.id", true);
    conf.setBoolean("dfs.namenode.audit.log.with.remote.port", true);
    conf.setBoolean("hadoop.caller.context.enabled", true);
    disk.release(10);
    try (AuditLog log = AuditLog.start(logger(), conf)) {
      log.add(
          new AuditLine(
              "alice (auth:SIMPLE)",
              new InetSocketAddress("127.0.0.1", 1234),
              new Access(true, "open", "/a", null),
              null,
              "rpc",
              new CallerContext.Builder("job").build(),
              null));
      assertThat(written.poll(60, TimeUnit.SECONDS))
          .isEqualTo(
              "allowed=true\tugi=alice (auth:SIMPLE)\tip=/127.0.0.1\tcmd=open\tsrc=/a\tdst=null"
                  + "\tperm=null\ttrackingId=null\tproto=rpc\tcallerContext=job,clientPort:1234");
    }
  }

  @Test
  void namesAreNoLinesOfTheirOwn() {
    AuditFormat format = AuditFormat.of(conf);
    String forged = "x\nallowed=true\tugi=root";
    String text =
        format.text(
            new AuditLine(
                forged, null, new Access(true, "open", forged, forged), null, "rpc", null, null));
    assertThat(text.lines()).hasSize(1);
    assertThat(text).contains("\tugi=x\\nallowed=true\\tugi=root\t");
    String ordinary = "j\u00f6rg (auth:SIMPLE)";
    assertThat(
            format.text(
                new AuditLine(
                    ordinary, null, new Access(true, "open", "/a", null), null, "rpc", null, null)))
        .contains("\tugi=" + ordinary + "\t");
  }

  private static AuditLine line(String command) {
    return new AuditLine(
        "alice", null, new Access(true, command, "/a", null), null, "rpc", null, null);
  }

  private List<String> commands(int count) throws InterruptedException {
    List<String> commands = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      String line = written.poll(60, TimeUnit.SECONDS);
      commands.add(line.replaceAll(".*\tcmd=([^\t]*)\t.*", "$1"));
    }
    return commands;
  }

  /** One whose disk takes a line for each permit. */
  private Logger logger() {
    return (Logger)
        Proxy.newProxyInstance(
            Logger.class.getClassLoader(),
            new Class<?>[] {Logger.class},
            (proxy, method, arguments) -> {
              if (method.getName().equals("info")) {
                disk.acquire();
                written.add((String) arguments[0]);
                return null;
              }
              return method.getName().equals("isDebugEnabled")
                  ? isDebug
                  : method.getName().equals("isInfoEnabled");
            });
  }
}
