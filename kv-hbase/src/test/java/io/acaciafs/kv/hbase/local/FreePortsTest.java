package io.acaciafs.kv.hbase.local;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

class FreePortsTest {
  /** So many that two processes that choose by chance would choose dozens alike. */
  private static final int MANY = 1_000;

  /** Prints ports, and holds them until its input ends. */
  static final class Other {
    public static void main(String[] args) throws IOException {
      for (int i = 0; i < MANY; i++) {
        System.out.println(FreePorts.next());
      }
      System.out.flush();
      System.in.read();
    }
  }

  @Test
  void noPortIsHandedOutTwiceAlsoByAnotherProcess() throws Exception {
    Process other =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                Other.class.getName())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    try (var lines = other.inputReader()) {
      Set<Integer> ports = new HashSet<>();
      for (int i = 0; i < MANY; i++) {
        ports.add(Integer.valueOf(lines.readLine()));
      }
      for (int i = 0; i < MANY; i++) {
        ports.add(FreePorts.next());
      }
      assertThat(ports).hasSize(2 * MANY);
    } finally {
      other.destroyForcibly();
      other.waitFor();
    }
  }
}
