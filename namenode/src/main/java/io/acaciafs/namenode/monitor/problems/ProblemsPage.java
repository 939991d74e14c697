package io.acaciafs.namenode.monitor.problems;

import io.acaciafs.namenode.monitor.EachInterval;
import io.acaciafs.namenode.monitor.problems.KnownProblems.Known;
import io.acaciafs.web.JsonPart.Answer;
import java.time.Clock;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What is wrong now, each with its cause, since when, and where to read on. For many threads. */
public final class ProblemsPage {
  private static final Logger LOG = LoggerFactory.getLogger(ProblemsPage.class);
  private static final String HELP = "docs/troubleshooting.md#";

  private final List<ProblemCheck> checks;
  private final KnownProblems known;
  private final Clock clock;
  private final EachInterval<Answer> answer = EachInterval.shared(this::look);

  public ProblemsPage(List<ProblemCheck> checks, KnownProblems known, Clock clock) {
    this.checks = List.copyOf(checks);
    this.known = known;
    this.clock = clock;
  }

  /** As it was two seconds ago at most. To be called also if nobody asks, to know since when. */
  public Answer read() {
    return answer.get();
  }

  private Answer look() {
    List<Problem> found = new ArrayList<>();
    for (ProblemCheck check : checks) {
      try {
        check.look(found::add);
      } catch (RuntimeException e) { // the other checks count all the more
        LOG.debug("Check failed check={}", check, e);
        found.add(
            new Problem(
                ProblemKind.TASK_FAILS,
                check.getClass().getSimpleName(),
                "What the page of problems shows is not complete: " + e));
      }
    }
    Map<String, Object> body = new LinkedHashMap<>();
    body.put("nowMs", clock.millis());
    body.put("problems", known.update(found).stream().map(ProblemsPage::shown).toList());
    return Answer.ok(body);
  }

  private static Map<String, Object> shown(Known each) {
    Map<String, Object> shown = new LinkedHashMap<>();
    ProblemKind kind = each.problem().kind();
    shown.put("kind", kind.anchor());
    shown.put("severity", kind.severity().name().toLowerCase(Locale.ROOT));
    shown.put("title", kind.title());
    shown.put("subject", each.problem().subject());
    shown.put("cause", each.problem().cause());
    shown.put("sinceMs", each.sinceMs());
    shown.put("help", HELP + kind.anchor());
    return shown;
  }
}
