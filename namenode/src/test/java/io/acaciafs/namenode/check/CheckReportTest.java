package io.acaciafs.namenode.check;

import static org.assertj.core.api.Assertions.assertThat;

import io.acaciafs.namenode.process.RunningWork.Progress;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class CheckReportTest {
  private final StringWriter text = new StringWriter();
  private final List<Progress> told = new ArrayList<>();
  private final CheckReport report = new CheckReport(new PrintWriter(text), told::add);

  @Test
  void theStepIsPrintedAndTheWholeIsTold() {
    report.expect(100);
    report.seen(40);
    report.progress("entries", 30, 90);
    assertThat(text.toString()).isEqualTo("PROGRESS entries 30 90\n");
    assertThat(told).containsExactly(new Progress("entries", 40, 100, "rows"));
  }

  @Test
  void aComparisonThatFollowsBeginsAnew() {
    report.expect(100);
    report.seen(100);
    report.progress("blocks", 20, 20);
    report.expect(-1);
    report.progress("members", 7, -1);
    assertThat(told).last().isEqualTo(new Progress("members", 7, -1, "rows"));
  }
}
