package io.acaciafs.namenode.monitor.console;

import io.acaciafs.kv.StoreException;
import io.acaciafs.kv.run.FailureText;
import io.acaciafs.namenode.monitor.LastKnown;
import io.acaciafs.namespace.Namespace;
import io.acaciafs.namespace.context.Caller;
import io.acaciafs.namespace.op.quota.ListQuotas;
import io.acaciafs.namespace.op.quota.ListQuotas.Entry;
import io.acaciafs.namespace.record.Quota;
import io.acaciafs.web.JsonPart.Answer;
import io.acaciafs.web.WebQuery;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;

/**
 * The directories with quotas, the fullest first. While somebody looks, their rows are read once in
 * 30 seconds, 10,000 at most and no longer than ten seconds. Safe for use by many threads.
 */
public final class QuotasPage {
  private static final int MOST_READ = 10_000;
  private static final int SLICE = 200;
  private static final long KEEP_MS = 30_000;
  private static final long LONGEST_NS = TimeUnit.SECONDS.toNanos(10);
  private static final long PATIENCE_MS = 2_000;
  private static final int USUAL = 100;
  private static final int MOST = 500;

  private final Namespace namespace;
  private final LastKnown<Found> found;

  /**
   * What was read.
   *
   * @param isWhole whether these are all that there are
   */
  private record Found(List<Directory> fullestFirst, boolean isWhole) {}

  /** A directory and the highest share of its quotas that is used. */
  private record Directory(Entry entry, double fullness) {}

  /**
   * @param executor where rows are read
   */
  public QuotasPage(Namespace namespace, Executor executor) {
    this.namespace = namespace;
    this.found = new LastKnown<>(this::find, new Found(List.of(), false), KEEP_MS, executor);
  }

  /**
   * Waits for two seconds at most.
   *
   * @param query "filter" is a part of the paths, "from" the number of the first one, "limit" how
   *     many
   */
  public Answer read(WebQuery query) {
    Found now;
    try {
      now = found.value(System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(PATIENCE_MS));
    } catch (StoreException e) {
      return PageFailure.of(e);
    }
    String filter = query.text("filter");
    List<Directory> wanted =
        now.fullestFirst.stream().filter(each -> each.entry.path().contains(filter)).toList();
    Map<String, Object> body = new LinkedHashMap<>();
    body.put("all", now.fullestFirst.size());
    body.put("whole", now.isWhole);
    body.put("found", wanted.size());
    body.put("shown", query.page(wanted, USUAL, MOST).map(QuotasPage::shown).toList());
    return Answer.ok(body);
  }

  private Found find() {
    long beginNs = System.nanoTime();
    Caller self = Caller.superuser(namespace.settings().permissions().owner());
    List<Directory> directories = new ArrayList<>();
    long afterId = 0;
    do {
      ListQuotas.Page page = slice(self, afterId);
      page.entries().forEach(entry -> directories.add(new Directory(entry, fullness(entry))));
      afterId = page.nextAfterId();
    } while (afterId != 0
        && directories.size() < MOST_READ
        && System.nanoTime() - beginNs < LONGEST_NS);
    directories.sort(
        Comparator.comparingDouble(Directory::fullness)
            .reversed()
            .thenComparing(each -> each.entry.path()));
    return new Found(directories, afterId == 0);
  }

  private ListQuotas.Page slice(Caller self, long afterId) {
    try {
      return namespace
          .submit(self, new ListQuotas(afterId, SLICE))
          .get(LONGEST_NS, TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new StoreException("Interrupted while quotas were read", e);
    } catch (ExecutionException | TimeoutException e) {
      throw new StoreException(FailureText.of(e), e);
    }
  }

  private static double fullness(Entry entry) {
    Quota quota = entry.quota();
    return Stream.concat(
            Stream.of(
                share(entry.used().names(), quota.names()),
                share(entry.used().spaceBytes(), quota.spaceBytes())),
            quota.typeBytes().entrySet().stream()
                .map(type -> share(entry.used().typeBytes(type.getKey()), type.getValue())))
        .mapToDouble(share -> share)
        .max()
        .orElse(0);
  }

  private static double share(long used, long limit) {
    return limit < 0 ? 0 : (double) used / Math.max(1, limit);
  }

  private static Map<String, Object> shown(Directory directory) {
    Entry entry = directory.entry;
    Map<String, Object> shown = new LinkedHashMap<>();
    shown.put("path", entry.path());
    shown.put("names", entry.used().names());
    shown.put("namesLimit", entry.quota().names());
    shown.put("bytes", entry.used().spaceBytes());
    shown.put("bytesLimit", entry.quota().spaceBytes());
    List<Map<String, Object>> types = new ArrayList<>();
    entry
        .quota()
        .typeBytes()
        .forEach(
            (type, limit) ->
                types.add(
                    Map.of(
                        "type",
                        type.name(),
                        "bytes",
                        entry.used().typeBytes(type),
                        "bytesLimit",
                        limit)));
    shown.put("types", types);
    shown.put("fullness", directory.fullness);
    return shown;
  }
}
