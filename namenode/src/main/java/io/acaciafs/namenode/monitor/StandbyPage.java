package io.acaciafs.namenode.monitor;

import io.acaciafs.kv.engine.ReplicaStatus;
import io.acaciafs.namenode.monitor.replication.ReplicationAnswer;
import io.acaciafs.web.JsonPart.Answer;
import java.net.URI;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** What the page of a NameNode that stands by shows. */
public final class StandbyPage {
  private final String engine;
  private final String address;
  private final StandbyStart start;
  private final Supplier<ReplicaStatus> status;
  private final Function<String, @Nullable URI> pages;

  /**
   * @param address where this NameNode takes calls
   * @param pages of the NameNodes by name, as browsers reach them; null where not known
   */
  public StandbyPage(
      String engine,
      String address,
      StandbyStart start,
      Supplier<ReplicaStatus> status,
      Function<String, @Nullable URI> pages) {
    this.engine = engine;
    this.address = address;
    this.start = start;
    this.status = status;
    this.pages = pages;
  }

  /** As of now. */
  public Answer read() {
    ReplicaStatus now = status.get();
    Map<String, Object> body = new LinkedHashMap<>();
    body.put("engine", engine);
    body.put("address", address);
    ReplicationAnswer.addTo(body, now);
    URI page = now.leader().isEmpty() ? null : pages.apply(now.leader());
    if (page != null) {
      body.put("leaderPage", page.toString());
    }
    body.put("startup", start.shown());
    return Answer.ok(body);
  }
}
