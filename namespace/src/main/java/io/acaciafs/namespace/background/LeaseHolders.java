package io.acaciafs.namespace.background;

import io.acaciafs.kv.KeyRange;
import io.acaciafs.kv.Scan;
import io.acaciafs.namespace.Namespace;
import io.acaciafs.namespace.lease.Leases;
import io.acaciafs.namespace.record.NamespaceKeys;
import io.acaciafs.namespace.record.OpenFile;
import java.util.HashSet;
import java.util.Set;

/** Finds the clients that have open files, so the NameNode can forget the others. */
final class LeaseHolders {
  private LeaseHolders() {}

  /** The clients of all open files. */
  static Set<String> of(Namespace namespace) throws InterruptedException {
    Set<String> holders = new HashSet<>();
    try (Scan open = namespace.scan(KeyRange.ofTable(NamespaceKeys.OPEN_FILES))) {
      while (open.hasNext()) {
        holders.add(OpenFile.decode(open.next().value()).clientName());
        if (Thread.interrupted()) {
          throw new InterruptedException();
        }
      }
    }
    return holders;
  }

  /** Passes the holders to the leases, if the leases want them. */
  static void noteIfWanted(Namespace namespace) throws InterruptedException {
    Leases leases = namespace.leases();
    if (leases.wantsHolders()) {
      long sinceMs = leases.nowMs();
      leases.retain(of(namespace), sinceMs);
    }
  }
}
