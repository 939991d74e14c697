package io.acaciafs.namenode.monitor;

import io.acaciafs.blocks.record.RollingUpgrade;
import io.acaciafs.kv.Table;
import io.acaciafs.web.JsonPart.Answer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What the pages show and no bean of HDFS's has: the store, its tables, the start. */
public final class StatusPage {
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
}
