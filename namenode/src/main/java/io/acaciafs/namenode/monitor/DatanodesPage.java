package io.acaciafs.namenode.monitor;

import io.acaciafs.blocks.BlockManager;
import io.acaciafs.web.JsonPart.Answer;
import io.acaciafs.web.WebQuery;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/** DataNodes, sorted and filtered, a page of them; or one with its volumes. */
public final class DatanodesPage {
  private static final int NOT_FOUND = 404;
  private static final int SHOWN = 50;
  private static final int MOST = 500;

  /** What may be asked for by {@code sort}. */
  private static final Map<String, Comparator<DatanodeRow>> ORDERS =
      Map.of(
          "name", Comparator.comparing(DatanodeRow::name),
          "rack", by(DatanodeRow::rack),
          "state", by(DatanodeRow::state),
          "contact", by(DatanodeRow::lastContactMs),
          "used", by(DatanodeRow::used),
          "capacity", by(DatanodeRow::capacity),
          "full", by(DatanodeRow::fullness),
          "blocks", by(DatanodeRow::blocks),
          "failed", by(DatanodeRow::failedVolumes),
          "version", by(DatanodeRow::version));

  private final PageAnswers<List<DatanodeRow>> answers;

  /**
   * @param nodes as they were some seconds ago at most
   */
  public DatanodesPage(Supplier<DatanodeFigures> nodes, BlockManager blocks) {
    this(() -> DatanodeRow.all(nodes.get(), blocks));
  }

  DatanodesPage(Supplier<List<DatanodeRow>> rows) {
    answers = new PageAnswers<>(rows, DatanodesPage::answer);
  }

  private static <T extends Comparable<T>> Comparator<DatanodeRow> by(
      Function<DatanodeRow, T> figure) {
    return Comparator.comparing(figure).thenComparing(DatanodeRow::name);
  }

  /**
   * Parameters: {@code sort}, {@code down}, {@code filter} (a part of the name, rack, state or
   * version), {@code from}, {@code limit}; or {@code node}, a name.
   */
  public Answer read(WebQuery query) {
    return answers.read(query);
  }

  private static Answer answer(List<DatanodeRow> all, WebQuery query) {
    String name = query.text("node");
    return name.isEmpty() ? page(all, query) : one(all, name);
  }

  private static Answer page(List<DatanodeRow> all, WebQuery query) {
    String filter = query.text("filter");
    Comparator<DatanodeRow> order =
        ORDERS.getOrDefault(query.text("sort"), Comparator.comparing(DatanodeRow::name));
    List<DatanodeRow> found =
        all.stream()
            .filter(row -> row.fits(filter))
            .sorted(query.text("down").equals("true") ? order.reversed() : order)
            .toList();
    Map<String, Object> body = new LinkedHashMap<>();
    body.put("all", all.size());
    body.put("found", found.size());
    body.put(
        "states",
        all.stream()
            .collect(
                Collectors.groupingBy(DatanodeRow::state, TreeMap::new, Collectors.counting())));
    body.put("nodes", query.page(found, SHOWN, MOST).map(DatanodeRow::shown).toList());
    return Answer.ok(body);
  }

  private static Answer one(List<DatanodeRow> all, String name) {
    return all.stream()
        .filter(row -> row.name().equals(name))
        .findFirst()
        .map(row -> Answer.ok(row.withVolumes()))
        .orElseGet(() -> new Answer(NOT_FOUND, Map.of("problem", "There is no DataNode " + name)));
  }
}
