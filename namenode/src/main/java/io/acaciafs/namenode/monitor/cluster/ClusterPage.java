package io.acaciafs.namenode.monitor.cluster;

import io.acaciafs.kv.engine.StoreCluster;
import io.acaciafs.namenode.monitor.EachInterval;
import io.acaciafs.web.JsonPart.Answer;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What pages show of the cluster that keeps the store. Safe for use by many threads. */
public final class ClusterPage {
  /** On a page that shows other things too. */
  private static final int FEW_SERVERS = 20;

  private static final int MOST_SERVERS = 1_000;
  private static final int MOST_TRANSITIONS = 20;
  private static final long MADE_EVERY_MS = 2_000;

  private final ClusterLook look;
  private final EachInterval<Answer> answer =
      new EachInterval<>(MADE_EVERY_MS, () -> Answer.ok(shown(MOST_SERVERS)));

  public ClusterPage(ClusterLook look) {
    this.look = look;
  }

  /** As it was some seconds ago. */
  public Answer read() {
    return answer.get();
  }

  /** For a page that shows other things too. */
  public Map<String, Object> summary() {
    return shown(FEW_SERVERS);
  }

  private Map<String, Object> shown(int most) {
    ClusterLook.Known<StoreCluster.State> state = look.state();
    Map<String, Object> body = new LinkedHashMap<>();
    StoreCluster.State now = state.value();
    if (now == null) {
      body.put(
          "problem",
          state.failure().isEmpty() ? "The servers were not asked yet" : state.failure());
      return body;
    }
    body.put("version", now.version());
    body.put("master", now.master());
    body.put("backupMasters", now.backupMasters());
    body.put("live", now.live().size());
    body.put("dead", now.dead());
    body.put("regions", now.regions());
    body.put("online", now.online());
    body.put(
        "transitions",
        now.transitions().stream()
            .limit(MOST_TRANSITIONS)
            .map(each -> Map.of("region", each.region(), "state", each.state()))
            .toList());
    putLoads(body, look.loads().value(), most);
    Optional<StoreCluster.Coprocessor> coprocessor = look.coprocessor().value();
    if (coprocessor != null && coprocessor.isPresent()) {
      body.put("coprocessor", shown(coprocessor.get()));
    }
    return body;
  }

  private static void putLoads(
      Map<String, Object> body, @Nullable List<StoreCluster.Load> loads, int most) {
    if (loads == null) {
      return;
    }
    body.put(
        "requestsPerSecond", loads.stream().mapToLong(StoreCluster.Load::requestsPerSecond).sum());
    body.put("fileBytes", loads.stream().mapToLong(StoreCluster.Load::fileBytes).sum());
    body.put(
        "servers",
        loads.stream()
            .sorted(
                Comparator.comparingInt(StoreCluster.Load::regions)
                    .reversed()
                    .thenComparing(StoreCluster.Load::name))
            .limit(most)
            .map(ClusterPage::shown)
            .toList());
  }

  private static Map<String, Object> shown(StoreCluster.Load load) {
    Map<String, Object> shown = new LinkedHashMap<>();
    shown.put("name", load.name());
    shown.put("regions", load.regions());
    shown.put("fileBytes", load.fileBytes());
    shown.put("requestsPerSecond", load.requestsPerSecond());
    shown.put("heapBytes", load.heapBytes());
    shown.put("maxHeapBytes", load.maxHeapBytes());
    return shown;
  }

  private static Map<String, Object> shown(StoreCluster.Coprocessor coprocessor) {
    Map<String, Object> shown = new LinkedHashMap<>();
    shown.put("own", coprocessor.own());
    shown.put("versions", coprocessor.versions());
    shown.put("missing", coprocessor.missing().size());
    shown.put("unknown", coprocessor.unknown());
    return shown;
  }
}
