package io.acaciafs.namespace.record.codec;

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
class FuzzedRecordTest {
  private static final Path CORPUS = Path.of("src/test/fuzz/RecordFuzzer");

  @Test
  void recordsWithstandTheCorpus() throws IOException {
    List<Path> inputs;
    try (Stream<Path> files = Files.list(CORPUS)) {
      inputs = files.sorted().toList();
    }
    assertThat(inputs).isNotEmpty();
    for (Path input : inputs) {
      assertThatCode(() -> RecordFuzzer.fuzzerTestOneInput(Files.readAllBytes(input)))
          .as("%s", input)
          .doesNotThrowAnyException();
    }
  }
}
