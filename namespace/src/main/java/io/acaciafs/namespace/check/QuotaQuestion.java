package io.acaciafs.namespace.check;

import io.acaciafs.kv.Key;
import io.acaciafs.kv.Reader;
import io.acaciafs.kv.check.CheckRun;
import io.acaciafs.kv.check.Finding;
import io.acaciafs.kv.check.Question;
import io.acaciafs.namespace.record.DirectoryInode;
import io.acaciafs.namespace.record.NamespaceKeys;
import io.acaciafs.namespace.record.QuotaCounts;
import io.acaciafs.namespace.settings.StoragePolicies;
import java.util.function.Consumer;

/**
 * Whether as much is used of a directory's quota as is counted. What is used is guarded, and so is
 * each directory below by its counters, once there is a suspicion: then the difference is that of
 * one moment. Of a very large directory only a part is guarded; there a difference counts that is
 * the same each time, though entries that move meanwhile may be seen twice or not at all.
 */
final class QuotaQuestion implements Question {
  private final CheckRun run;
  private final Rows rows;
  private final StoragePolicies policies;
  private final Key key;
  private boolean isSuspected;

  QuotaQuestion(CheckRun run, Rows rows, StoragePolicies policies, Key key) {
    this.run = run;
    this.rows = rows;
    this.policies = policies;
    this.key = key;
  }

  @Override
  public void ask(Reader reader, Consumer<Finding> findings) throws InterruptedException {
    byte[] row = reader.get(key);
    long id = NamespaceKeys.idOf(key);
    if (row == null || rows.leadsToUnreadable(reader, id)) {
      return;
    }
    String subject = "inode=" + id;
    if (!(rows.inode(reader, id) instanceof DirectoryInode directory)
        || !directory.features().quota().isSet()) {
      findings.accept(
          Finding.damage(
              "usage-of-no-quota",
              subject,
              "What is used is counted of a quota that is not there.",
              tx -> tx.delete(key)));
      return;
    }
    QuotaCounts used = Rows.decoded(() -> QuotaCounts.decode(row));
    QuotaCounts counted =
        new SubtreeUsage(run, rows, policies, isSuspected).count(reader, directory);
    if (!counted.equals(used)) {
      isSuspected = true;
      String difference =
          used == null
              ? "unreadable"
              : used.plus(counted.negated()).toString().replaceAll(",? +", ",");
      findings.accept(
          Finding.damage(
              "wrong-quota-usage",
              subject + " difference=" + difference,
              "Of a quota is used: " + counted + "; what is stored: " + used + ".",
              tx -> tx.put(key, counted.toCounters().encode())));
    }
  }
}
