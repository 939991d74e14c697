package io.acaciafs.namenode.monitor.console;

import static org.assertj.core.api.Assertions.assertThat;

import io.acaciafs.kv.StoreException;
import io.acaciafs.web.JsonPart.Answer;
import io.acaciafs.web.WebQuery;
import java.util.Map;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.Test;

class BlockPageTest {
  private final Map<Long, Long> files = Map.of(7L, 70L, 8L, 80L, 9L, 90L);
  private final Map<Long, String> paths = Map.of(70L, "/a/closed", 80L, "/a/open");
  private final BlockPage page =
      new BlockPage(files::get, paths::get, fileId -> fileId == 80, Runnable::run);

  private Answer read(String query) {
    return page.read(WebQuery.of(query));
  }

  @Test
  void tellsThePathAndWhetherTheFileIsOpen() {
    assertThat(read("id=7").body()).isEqualTo(Map.of("path", "/a/closed", "open", false));
    assertThat(read("id=8").body()).isEqualTo(Map.of("path", "/a/open", "open", true));
  }

  @Test
  void saysThatThereIsNoSuchBlockOrNoFileAnyMore() {
    assertThat(read("id=6").status()).isEqualTo(404);
    assertThat(read("id=9").status()).isEqualTo(404);
    assertThat(read("").status()).isEqualTo(404);
  }

  @Test
  void saysThatItCannotBeReadNow() {
    BlockPage failing =
        new BlockPage(
            blockId -> {
              throw new StoreException("No region server");
            },
            paths::get,
            fileId -> false,
            Runnable::run);
    Answer answer = failing.read(WebQuery.of("id=7"));
    assertThat(answer.status()).isEqualTo(503);
    assertThat(answer.body()).isEqualTo(Map.of("problem", "No region server"));
    BlockPage busy =
        new BlockPage(
            files::get,
            paths::get,
            fileId -> false,
            task -> {
              throw new RejectedExecutionException("too much");
            });
    assertThat(busy.read(WebQuery.of("id=7")).status()).isEqualTo(503);
  }
}
