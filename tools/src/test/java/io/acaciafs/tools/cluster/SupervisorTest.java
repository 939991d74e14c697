package io.acaciafs.tools.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.acaciafs.tools.common.Await;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SupervisorTest {
  private static final Duration LIMIT = Duration.ofSeconds(60);

  @TempDir private Path folder;

  /** A server that runs until its standard input ends, which is with this JVM at the latest. */
  static final class Waiting {
    private Waiting() {}

    public static void main(String[] args) throws IOException {
      System.out.println("started");
      System.in.read();
    }
  }

  private Server server(String name) throws IOException {
    return new Server(
        ServerKind.DATANODE,
        name,
        Files.createDirectories(folder.resolve(name)),
        System.getProperty("java.class.path"),
        List.of("-Xmx16m", Waiting.class.getName()));
  }

  private ProcessHandle process(String name) throws IOException {
    String pid = Files.readString(folder.resolve("pid").resolve(name)).strip();
    return ProcessHandle.of(Long.parseLong(pid)).orElseThrow();
  }

  @Test
  void startsAgainWhatWasKilledAndEndsAllWithItself() throws Exception {
    ProcessHandle second;
    ProcessHandle other;
    try (Supervisor supervisor = Supervisor.start(folder, List.of())) {
      supervisor.keep(server("dn1"));
      supervisor.keep(server("dn2"));
      ProcessHandle first = process("dn1");
      other = process("dn2");
      first.destroyForcibly();
      first.onExit().get(LIMIT.toSeconds(), TimeUnit.SECONDS);
      Await.until("a new process", LIMIT, () -> !isNamed(first));
      second = process("dn1");
      Await.until(
          "the output of both",
          LIMIT,
          () -> Files.readString(folder.resolve("log/dn1.log")).contains("started"));
      assertThat(second.isAlive()).isTrue();
      assertThat(process("dn2")).as("the other one goes on").isEqualTo(other);
    }
    assertThat(second.isAlive()).isFalse();
    assertThat(other.isAlive()).isFalse();
  }

  /** The old number stays in the file until the next start. */
  private boolean isNamed(ProcessHandle process) throws IOException {
    return Files.readString(folder.resolve("pid/dn1")).strip().equals(process.pid() + "");
  }

  @Test
  void endsWhatAKilledOneHasLeftAndNothingElse() throws Exception {
    Server server = server("dn1");
    Server reused = server("dn2");
    Path pids = Files.createDirectories(folder.resolve("pid"));
    Process left = server.start(folder.resolve("dn1.log"));
    Files.writeString(pids.resolve("dn1"), left.pid() + "\n");
    Process stranger = server("dn3").start(folder.resolve("dn3.log"));
    try {
      Files.writeString(pids.resolve("dn2"), stranger.pid() + "\n");
      try (Supervisor supervisor = Supervisor.start(folder, List.of(server, reused))) {
        assertThat(left.isAlive()).isFalse();
        assertThat(stranger.isAlive()).as("another process has the number by now").isTrue();
        supervisor.keep(server);
        assertThat(process("dn1").pid()).isNotEqualTo(left.pid());
      }
    } finally {
      stranger.destroyForcibly();
    }
  }
}
