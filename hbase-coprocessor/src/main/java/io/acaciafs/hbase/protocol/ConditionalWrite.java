package io.acaciafs.hbase.protocol;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Changes that are made if all conditions hold, else none of them. Immutable. */
public final class ConditionalWrite {
  private final List<Condition> conditions;
  private final List<Change> changes;

  /** Keeps both lists; they must not change afterwards. */
  public ConditionalWrite(List<Condition> conditions, List<Change> changes) {
    this.conditions = conditions;
    this.changes = changes;
  }

  public List<Condition> conditions() {
    return conditions;
  }

  public List<Change> changes() {
    return changes;
  }

  byte @Nullable [] anyRow() {
    if (!conditions.isEmpty()) {
      return conditions.get(0).row();
    }
    return changes.isEmpty() ? null : changes.get(0).row();
  }

  void write(MessageOutput output, Rows.Writer rows) {
    output.writeInt(conditions.size());
    for (Condition condition : conditions) {
      condition.write(output, rows);
    }
    output.writeInt(changes.size());
    for (Change change : changes) {
      change.write(output, rows);
    }
  }

  static ConditionalWrite read(MessageInput input, Rows rows) {
    int conditionCount = input.readCount();
    List<Condition> conditions = new ArrayList<>(conditionCount);
    for (int i = 0; i < conditionCount; i++) {
      conditions.add(Condition.read(input, rows));
    }
    int changeCount = input.readCount();
    List<Change> changes = new ArrayList<>(changeCount);
    for (int i = 0; i < changeCount; i++) {
      changes.add(Change.read(input, rows));
    }
    return new ConditionalWrite(conditions, changes);
  }
}
