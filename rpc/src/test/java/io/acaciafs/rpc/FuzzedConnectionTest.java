package io.acaciafs.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a fuzzer has found to take ways of its own through the code, again. */
@Timeout(60)
class FuzzedConnectionTest {
  @Test
  void aConnectionWithstandsTheCorpus() throws IOException {
    replay("ConnectionFuzzer", ConnectionFuzzer::fuzzerTestOneInput);
  }

  @Test
  void aConnectionOfClientsThatAuthenticateWithstandsTheCorpus() throws IOException {
    replay("SaslFuzzer", SaslFuzzer::fuzzerTestOneInput);
  }

  /** A target of the fuzzer. */
  @FunctionalInterface
  private interface Target {
    void run(byte[] input) throws IOException;
  }

  private static void replay(String name, Target target) throws IOException {
    List<Path> inputs;
    try (Stream<Path> files = Files.list(Path.of("src/test/fuzz", name))) {
      inputs = files.sorted().toList();
    }
    assertThat(inputs).isNotEmpty();
    for (Path input : inputs) {
      assertThatCode(() -> target.run(Files.readAllBytes(input)))
          .as("%s", input)
          .doesNotThrowAnyException();
    }
  }
}
