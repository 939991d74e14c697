package io.acaciafs.namenode.monitor.problems;

import io.acaciafs.namenode.members.DepartedMember;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** Whether a NameNode that served the same store is missing. */
public final class MemberChecks implements ProblemCheck {
  private final Supplier<List<DepartedMember>> departed;

  public MemberChecks(Supplier<List<DepartedMember>> departed) {
    this.departed = departed;
  }

  @Override
  public void look(Consumer<Problem> found) {
    for (DepartedMember each : departed.get()) {
      String address = each.member().address();
      found.accept(
          new Problem(
              ProblemKind.NAMENODE_DEAD,
              address,
              address
                  + " has not renewed its lease since "
                  + Instant.ofEpochMilli(each.renewedMs()).truncatedTo(ChronoUnit.SECONDS)
                  + "; the others serve without it"));
    }
  }
}
