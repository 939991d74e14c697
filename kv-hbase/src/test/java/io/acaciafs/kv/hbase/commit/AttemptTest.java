package io.acaciafs.kv.hbase.commit;

import static org.assertj.core.api.Assertions.assertThat;

import io.acaciafs.kv.Key;
import io.acaciafs.kv.Table;
import io.acaciafs.kv.hbase.client.Outcome;
import java.io.IOException;
import java.util.Collections;
import java.util.List;
import org.apache.hadoop.hbase.NotServingRegionException;
import org.junit.jupiter.api.Test;

/** What a commit that was not done says of the reason. */
class AttemptTest {
  private static final List<RowPlan> ROWS =
      List.of(new RowPlan(new Key(new Table("rows", 2), new byte[] {1, 2, 3})));

  @Test
  void whatTheClientOfHBaseSaidIsTheCause() {
    IOException moved = new NotServingRegionException("it moves");
    Attempt notServed = Attempt.again(new Outcome.NotServed(moved));
    assertThat(notServed.isDone()).isFalse();
    assertThat(notServed.causeFor(ROWS)).isSameAs(moved);
    assertThat(notServed.reason()).startsWith("no region served it: ").contains("it moves");
    IOException lost = new IOException("the connection ended");
    assertThat(Attempt.again(new Outcome.Unknown(lost, null)).causeFor(ROWS)).isSameAs(lost);
  }

  @Test
  void ofAConflictTheCauseNamesTheRows() {
    Attempt refused = Attempt.again(Outcome.REFUSED);
    assertThat(refused.causeFor(ROWS))
        .hasMessage(
            "When it was tried last, another transaction has changed or locked a row, one of "
                + ROWS.get(0).key());
    assertThat(refused.causeFor(Collections.nCopies(9, ROWS.get(0))))
        .hasMessageEndingWith(" and others");
    assertThat(Attempt.again(new Outcome.NotServed(null)).causeFor(ROWS))
        .hasMessageContaining("no region served it");
  }
}
