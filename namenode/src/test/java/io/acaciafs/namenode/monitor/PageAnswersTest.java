package io.acaciafs.namenode.monitor;

import static org.assertj.core.api.Assertions.assertThat;

import io.acaciafs.web.JsonPart.Answer;
import io.acaciafs.web.WebQuery;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Figures are read once in an interval, and what is asked of them again is answered as before. */
class PageAnswersTest {
  private static final long INTERVAL_MS = 5_000;

  private long nowNs;
  private int figures;
  private int answers;
  private final PageAnswers<Integer> page =
      new PageAnswers<>(
          INTERVAL_MS,
          () -> ++figures,
          (known, query) -> {
            answers++;
            return Answer.ok(Map.of("figures", known, "wanted", query.text("filter")));
          },
          () -> nowNs);

  private Answer read(String query) {
    return page.read(WebQuery.of(query));
  }

  @Test
  void viewersThatAskTheSameGetTheSame() {
    Answer first = read("filter=a&limit=5");

    assertThat(read("limit=5&filter=a")).isSameAs(first);
    assertThat(read("filter=b").body().get("wanted")).isEqualTo("b");
    assertThat(read("filter=b").body().get("figures")).isEqualTo(1);
    assertThat(answers).isEqualTo(2);
  }

  @Test
  void figuresAreReadAnewAfterTheInterval() {
    Answer first = read("");
    nowNs += TimeUnit.MILLISECONDS.toNanos(INTERVAL_MS - 1);
    assertThat(read("")).isSameAs(first);
    nowNs += TimeUnit.MILLISECONDS.toNanos(1);
    assertThat(read("").body().get("figures")).isEqualTo(2);
  }

  @Test
  void manyDifferentQueriesAreAnsweredAndNotKept() {
    for (int i = 0; i < 1_000; i++) {
      assertThat(read("filter=" + i).body().get("wanted")).isEqualTo(String.valueOf(i));
    }
    read("filter=0");
    read("filter=999");
    assertThat(answers).isEqualTo(1_001);
    assertThat(figures).isEqualTo(1);
  }
}
