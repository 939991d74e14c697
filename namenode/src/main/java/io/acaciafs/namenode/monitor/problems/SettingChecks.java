package io.acaciafs.namenode.monitor.problems;

import java.util.List;
import java.util.function.Consumer;

/** What the site has set in vain, as it was found at the start. */
public final class SettingChecks implements ProblemCheck {
  private final List<String> warnings;

  /**
   * @param warnings sentences for people
   */
  public SettingChecks(List<String> warnings) {
    this.warnings = List.copyOf(warnings);
  }

  @Override
  public void look(Consumer<Problem> found) {
    if (!warnings.isEmpty()) {
      found.accept(new Problem(ProblemKind.SETTINGS_NOT_HONOURED, String.join(". ", warnings)));
    }
  }
}
