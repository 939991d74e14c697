package io.acaciafs.namenode.monitor.console;

import io.acaciafs.namenode.monitor.StoreFigures;
import io.acaciafs.namespace.Namespace;
import io.acaciafs.namespace.context.Caller;
import io.acaciafs.namespace.op.lease.DescribeOpenFiles;
import io.acaciafs.namespace.op.lease.DescribeOpenFiles.Entry;
import io.acaciafs.web.JsonPart.Answer;
import io.acaciafs.web.WebQuery;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** The files that are being written, page by page. Safe for use by many threads. */
public final class OpenFilesPage {
  private static final int USUAL = 100;
  private static final int MOST = 500;

  /** So many are looked at for each that is wanted, where a filter leaves few. */
  private static final int LOOKED_AT = 20;

  private static final long PATIENCE_S = 5;

  private final Namespace namespace;
  private final StoreFigures figures;

  public OpenFilesPage(Namespace namespace, StoreFigures figures) {
    this.namespace = namespace;
    this.figures = figures;
  }

  /**
   * Waits for five seconds at most.
   *
   * @param query "filter" is a part of the paths, "after" what the page before said in "next",
   *     "limit" how many
   */
  public Answer read(WebQuery query) {
    int limit = query.limit(USUAL, MOST);
    DescribeOpenFiles operation =
        new DescribeOpenFiles(
            query.number("after", 0), query.text("filter"), limit, LOOKED_AT * limit);
    try {
      Caller self = Caller.superuser(namespace.settings().permissions().owner());
      DescribeOpenFiles.Page page =
          namespace.submit(self, operation).get(PATIENCE_S, TimeUnit.SECONDS);
      Map<String, Object> body = new LinkedHashMap<>();
      body.put("all", figures.look().rows("open_files"));
      body.put("shown", page.entries().stream().map(this::shown).toList());
      body.put("next", page.nextAfterId());
      return Answer.ok(body);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return PageFailure.of(e);
    } catch (ExecutionException | TimeoutException | RuntimeException e) {
      return PageFailure.of(e);
    }
  }

  private Map<String, Object> shown(Entry entry) {
    Map<String, Object> shown = new LinkedHashMap<>();
    shown.put("path", entry.path());
    shown.put("holder", entry.clientName());
    shown.put("client", entry.clientMachine());
    shown.put("sinceMs", entry.modifiedMs());
    shown.put("renewedAgoMs", namespace.leases().renewedAgoMs(entry.clientName()));
    shown.put("length", entry.lengthBytes());
    shown.put("blocks", entry.blocks());
    shown.put("recovering", entry.isRecovering());
    return shown;
  }
}
