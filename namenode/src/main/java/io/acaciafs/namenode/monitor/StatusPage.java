package io.acaciafs.namenode.monitor;

import io.acaciafs.blocks.record.RollingUpgrade;
import io.acaciafs.kv.Table;
import io.acaciafs.rpc.limit.UserLoad;
import io.acaciafs.web.JsonPart.Answer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What the pages show and no bean of HDFS's has: the store, its tables, jobs, users, the start. */
public final class StatusPage {
  private static final int MOST_USERS = 20;

  private final Watched watched;
  private final StoreFigures figures;

  public StatusPage(Watched watched, StoreFigures figures) {
    this.watched = watched;
    this.figures = figures;
  }

  /** As of now. */
  public Answer read() {
    Map<String, Object> body = new LinkedHashMap<>();
    StoreFigures.Look store = figures.look();
    watched.store().describe(body);
    body.put("address", watched.calls().hostAndPort());
    body.put("tables", tables(store));
    body.put("jobs", jobs(store));
    body.put("users", users());
    Map<String, Object> startup = new LinkedHashMap<>();
    startup.put("startedMs", watched.start().startedMs());
    startup.put("storeOpenedAfterMs", watched.start().openedMs());
    startup.put("servesAfterMs", watched.start().servesAfterMs());
    startup.put("safeMode", watched.blocks().safeMode().isOn());
    startup.put(
        "safeModeTip", watched.blocks().safeMode().isOn() ? watched.blocks().safeMode().tip() : "");
    body.put("startup", startup);
    RollingUpgrade upgrade = RollingUpgrade.underWay(watched.blocks().upgrades().known());
    if (upgrade != null) {
      Map<String, Object> shown = new LinkedHashMap<>();
      shown.put("startedMs", upgrade.startMs());
      shown.put("backup", upgrade.backup());
      body.put("rollingUpgrade", shown);
    }
    return Answer.ok(body);
  }

  private List<Map<String, Object>> tables(StoreFigures.Look store) {
    List<Map<String, Object>> tables = new ArrayList<>();
    for (Table table :
        watched.store().tables().stream().sorted(Comparator.comparing(Table::name)).toList()) {
      Map<String, Object> row = new LinkedHashMap<>();
      row.put("name", table.name());
      row.put("rows", store.rows(table.name()));
      tables.add(row);
    }
    return tables;
  }

  /** What goes on in the background, and how much of it is left. */
  private List<Map<String, Object>> jobs(StoreFigures.Look store) {
    var blocks = store.blocks();
    List<Map<String, Object>> jobs = new ArrayList<>();
    jobs.add(job("Deleted directories to be swept", store.rows("jobs")));
    jobs.add(job("Blocks to be repaired", blocks.getLowRedundancyBlocks()));
    jobs.add(job("Replicas to be deleted", blocks.getPendingDeletionBlocks()));
    jobs.add(job("Copies to be made by DataNodes", watched.blocks().waitingTransfers()));
    jobs.add(job("Long operations under way", active("long-operation")));
    return jobs;
  }

  /** The users whose calls cost most lately, and their costs since their first call. */
  private List<Map<String, Object>> users() {
    List<Map<String, Object>> users = new ArrayList<>();
    for (UserLoad load : watched.users().loads().get().stream().limit(MOST_USERS).toList()) {
      Map<String, Object> user = new LinkedHashMap<>();
      user.put("name", load.user());
      user.put("costMs", load.totalNanos() / 1_000_000);
      user.put("isolated", load.isolated());
      users.add(user);
    }
    return users;
  }

  private @Nullable Long active(String queue) {
    var pool = watched.calls().queues().get(queue);
    return pool == null ? null : (long) pool.getActiveCount() + pool.getQueue().size();
  }

  private static Map<String, Object> job(String name, @Nullable Long left) {
    Map<String, Object> job = new LinkedHashMap<>();
    job.put("name", name);
    job.put("left", left);
    return job;
  }
}
