package io.acaciafs.namenode.monitor.console;

import io.acaciafs.namenode.monitor.EachInterval;
import io.acaciafs.namenode.settings.SettingRow;
import io.acaciafs.web.JsonPart.Answer;
import io.acaciafs.web.WebQuery;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;

/**
 * The settings: value, source, default, text, and whether they can be changed while the NameNode
 * runs. The table is made once in ten seconds. Safe for use by many threads.
 */
public final class ConfigurationPage {
  private static final long MADE_EVERY_MS = 10_000;
  private static final int USUAL = 500;
  private static final int MOST = 1_000;

  private final EachInterval<List<SettingRow>> rows;
  private final Set<String> changeable;

  /**
   * @param rows all settings
   * @param changeable names of those that can be changed while the NameNode runs
   */
  public ConfigurationPage(Supplier<List<SettingRow>> rows, Collection<String> changeable) {
    this.rows = new EachInterval<>(MADE_EVERY_MS, rows);
    this.changeable = Set.copyOf(changeable);
  }

  /**
   * Those that the site sets, Acacia's own and the changeable ones, unless all are asked for.
   *
   * @param query "all" is true for all, "filter" a part of names, values and texts, "from" the
   *     number of the first one, "limit" how many
   */
  public Answer read(WebQuery query) {
    boolean isAll = query.text("all").equals("true");
    String filter = query.text("filter").toLowerCase(Locale.ROOT);
    List<SettingRow> all = rows.get();
    List<SettingRow> found =
        all.stream()
            .filter(row -> isAll || isOfInterest(row))
            .filter(row -> matches(row, filter))
            .toList();
    Map<String, Object> body = new LinkedHashMap<>();
    body.put("all", all.size());
    body.put("found", found.size());
    body.put("shown", query.page(found, USUAL, MOST).map(this::shown).toList());
    return Answer.ok(body);
  }

  private boolean isOfInterest(SettingRow row) {
    return row.isAcacias() || changeable.contains(row.name()) || isSet(row);
  }

  private static boolean isSet(SettingRow row) {
    return !row.source().equals("default");
  }

  private static boolean matches(SettingRow row, String filter) {
    return (row.name() + ' ' + row.value() + ' ' + row.text())
        .toLowerCase(Locale.ROOT)
        .contains(filter);
  }

  private Map<String, Object> shown(SettingRow row) {
    Map<String, Object> shown = new LinkedHashMap<>();
    shown.put("name", row.name());
    shown.put("value", row.value());
    shown.put("source", row.source());
    shown.put("default", row.defaultText());
    shown.put("text", row.text());
    shown.put("changeable", changeable.contains(row.name()));
    shown.put("treatment", row.treatment());
    return shown;
  }
}
