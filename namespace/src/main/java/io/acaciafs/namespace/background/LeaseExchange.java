package io.acaciafs.namespace.background;

import io.acaciafs.kv.Key;
import io.acaciafs.kv.KeyRange;
import io.acaciafs.kv.Row;
import io.acaciafs.kv.Scan;
import io.acaciafs.namespace.Namespace;
import io.acaciafs.namespace.lease.Leases;
import io.acaciafs.namespace.record.NamespaceKeys;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Tells other processes which clients renewed their leases here, and hears of those that did there:
 * by a row of each client, which changes with each renewal. No clocks are compared: a client was
 * alive when its row is seen to have changed.
 *
 * <p>The first NameNode that notices removes rows of clients that have been silent for long. If
 * there are many rows, it also removes those of clients without an open file. Used by one thread.
 */
public final class LeaseExchange {
  private static final int CLIENTS_PER_TRANSACTION = 200;
  private static final long TRANSACTION_SECONDS = 60;

  /** Looks at a row that did not change, before it is removed: two hours. */
  private static final int LOOKS = (int) (7_200_000 / Leases.EXCHANGE_INTERVAL_MS);

  /** From this number of rows on, most clients hold no lease, or there are many clients. */
  private static final int MANY = 10_000;

  private final Namespace namespace;
  private final String self;
  private volatile Map<Key, Seen> seen = Map.of();
  private long count;
  private int holders;

  /** A row, and how often it was seen as it is. */
  private record Seen(byte[] value, int looks) {}

  LeaseExchange(Namespace namespace, String self) {
    this.namespace = namespace;
    this.self = self;
  }

  /**
   * Begins at once, and goes on until the close.
   *
   * @param self what no other process calls itself
   */
  public static AutoCloseable start(Namespace namespace, String self) {
    return new BackgroundTask(
        "lease-exchange",
        Leases.EXCHANGE_INTERVAL_MS,
        new LeaseExchange(namespace, self)::exchange);
  }

  /** Tells and hears, once. */
  void exchange() throws InterruptedException, ExecutionException, TimeoutException {
    List<String> renewed = namespace.leases().takeRenewed();
    int told = 0;
    try {
      while (told < renewed.size()) {
        int end = Math.min(renewed.size(), told + CLIENTS_PER_TRANSACTION);
        tell(renewed.subList(told, end));
        told = end;
      }
    } finally {
      namespace.leases().putBack(renewed.subList(told, renewed.size()));
    }
    hear();
    namespace.leases().exchanged();
  }

  private void tell(List<String> clientNames)
      throws InterruptedException, ExecutionException, TimeoutException {
    byte[] value = (self + " " + count++).getBytes(StandardCharsets.UTF_8);
    namespace
        .runner()
        .submit(
            transaction -> {
              for (String clientName : clientNames) {
                Key renewal = NamespaceKeys.renewal(clientName);
                if (seen.containsKey(renewal)) {
                  transaction.remoteReads().replace(renewal, value);
                } else {
                  transaction.put(renewal, value);
                }
              }
              return null;
            })
        .get(TRANSACTION_SECONDS, TimeUnit.SECONDS);
  }

  private void hear() throws InterruptedException, ExecutionException, TimeoutException {
    Map<Key, Seen> now = new HashMap<>();
    try (Scan rows = namespace.scan(KeyRange.ofTable(NamespaceKeys.RENEWALS))) {
      while (rows.hasNext()) {
        Row row = rows.next();
        Seen before = seen.get(row.key());
        if (before != null && Arrays.equals(before.value, row.value())) {
          now.put(row.key(), new Seen(row.value(), before.looks + 1));
        } else {
          now.put(row.key(), new Seen(row.value(), 0));
          if (!isOurs(row.value())) {
            namespace.leases().renewElsewhere(NamespaceKeys.clientOf(row.key()));
          }
        }
      }
    }
    seen = now;
    forget(now.entrySet().stream().filter(row -> row.getValue().looks >= LOOKS).toList());
    if (now.size() > MANY + 2 * holders) {
      Set<String> found = LeaseHolders.of(namespace);
      holders = found.size();
      forget(
          now.entrySet().stream()
              .filter(row -> row.getValue().looks > 0)
              .filter(row -> !found.contains(NamespaceKeys.clientOf(row.getKey())))
              .toList());
    }
  }

  private boolean isOurs(byte[] value) {
    return new String(value, StandardCharsets.UTF_8).startsWith(self + " ");
  }

  /** Removes rows that have not changed. */
  private void forget(List<Map.Entry<Key, Seen>> rows)
      throws InterruptedException, ExecutionException, TimeoutException {
    for (int begin = 0; begin < rows.size(); begin += CLIENTS_PER_TRANSACTION) {
      List<Map.Entry<Key, Seen>> some =
          rows.subList(begin, Math.min(rows.size(), begin + CLIENTS_PER_TRANSACTION));
      namespace
          .runner()
          .submit(
              transaction -> {
                for (Map.Entry<Key, Seen> row : some) {
                  if (Arrays.equals(transaction.get(row.getKey()), row.getValue().value)) {
                    transaction.delete(row.getKey());
                  }
                }
                return null;
              })
          .get(TRANSACTION_SECONDS, TimeUnit.SECONDS);
    }
  }
}
