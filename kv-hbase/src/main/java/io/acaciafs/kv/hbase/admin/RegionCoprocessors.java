package io.acaciafs.kv.hbase.admin;

import io.acaciafs.hbase.protocol.RegionService;
import io.acaciafs.kv.engine.StoreCluster.Coprocessor;
import io.acaciafs.kv.hbase.client.ClusterClient;
import io.acaciafs.kv.hbase.client.CoprocessorMessages;
import io.acaciafs.kv.hbase.client.CoprocessorUse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.ipc.HBaseRpcController;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.CoprocessorServiceRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.CoprocessorServiceResponse;
import org.jspecify.annotations.Nullable;

/**
 * Which version of the coprocessor the regions of a table have. A region loads it when it opens, so
 * each is asked once after that. Safe for use by many threads.
 */
final class RegionCoprocessors {
  /** At a look; a table with more regions is known after several. */
  private static final int MOST_ASKED = 256;

  private static final byte[] NOTHING = {};

  private final ClusterClient client;
  private final Map<Opened, Answer> answers = new HashMap<>();

  /** A region since it was opened: each time with a higher number in the log. */
  private record Opened(String region, ServerName server, long sequence) {
    static Opened of(HRegionLocation location) {
      return new Opened(
          location.getRegion().getEncodedName(), location.getServerName(), location.getSeqNum());
    }
  }

  /** What a region has. */
  private sealed interface Answer {
    /** A version; "": one that does not tell it. */
    record Version(String text) implements Answer {}

    /** No coprocessor. */
    record Missing() implements Answer {}
  }

  RegionCoprocessors(ClusterClient client) {
    this.client = client;
  }

  /** Asks where all regions are, and those that it does not know yet for their version. */
  synchronized Coprocessor look() {
    Map<Opened, HRegionLocation> now = new LinkedHashMap<>();
    locations().forEach(location -> now.put(Opened.of(location), location));
    answers.keySet().retainAll(now.keySet());
    ask(now);
    return summary(now);
  }

  private List<HRegionLocation> locations() {
    return client.await(
        client.openedRegions().orTimeout(ClusterClient.HASTY_MS, TimeUnit.MILLISECONDS),
        "list regions");
  }

  private void ask(Map<Opened, HRegionLocation> now) {
    Map<Opened, CompletableFuture<Answer>> asked = new LinkedHashMap<>();
    for (Map.Entry<Opened, HRegionLocation> each : now.entrySet()) {
      if (asked.size() < MOST_ASKED && !answers.containsKey(each.getKey())) {
        asked.put(each.getKey(), ask(each.getValue()));
      }
    }
    CompletableFuture<Void> all =
        CompletableFuture.allOf(asked.values().toArray(new CompletableFuture<?>[0]));
    try {
      all.get(ClusterClient.HASTY_MS, TimeUnit.MILLISECONDS);
    } catch (ExecutionException | TimeoutException e) {
      // those without an answer are asked again
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    asked.forEach(
        (region, answer) -> {
          if (answer.isDone() && !answer.isCompletedExceptionally()) {
            answers.put(region, answer.join());
          }
        });
  }

  private CompletableFuture<Answer> ask(HRegionLocation location) {
    RegionInfo region = location.getRegion();
    CoprocessorServiceRequest request =
        CoprocessorMessages.request(
            region, CoprocessorMessages.call(region.getStartKey(), RegionService.VERSION, NOTHING));
    CompletableFuture<Answer> answer = new CompletableFuture<>();
    HBaseRpcController controller = client.newController();
    try {
      client.noteSent();
      client
          .server(location.getServerName())
          .execService(
              controller,
              request,
              response ->
                  client.continueAfter(
                      controller, () -> complete(answer, controller.getFailed(), response)));
    } catch (IOException e) {
      answer.completeExceptionally(e);
    }
    return answer;
  }

  private static void complete(
      CompletableFuture<Answer> answer,
      @Nullable IOException failure,
      @Nullable CoprocessorServiceResponse response) {
    try {
      if (failure != null && CoprocessorUse.isMissing(failure)) {
        answer.complete(new Answer.Missing());
      } else if (failure != null && CoprocessorUse.isTooOld(failure)) {
        answer.complete(new Answer.Version(""));
      } else if (failure != null || response == null) {
        answer.completeExceptionally(failure == null ? new IOException("no answer") : failure);
      } else {
        byte[] text = CoprocessorMessages.unwrap(response.getValue().getValue());
        answer.complete(new Answer.Version(new String(text, StandardCharsets.UTF_8)));
      }
    } catch (IOException e) {
      answer.completeExceptionally(e);
    }
  }

  private Coprocessor summary(Map<Opened, HRegionLocation> now) {
    Map<String, Integer> versions = new TreeMap<>();
    List<String> missing = new ArrayList<>();
    int unknown = 0;
    for (Opened region : now.keySet()) {
      Answer answer = answers.get(region);
      if (answer instanceof Answer.Version version) {
        versions.merge(version.text(), 1, Integer::sum);
      } else if (answer instanceof Answer.Missing) {
        missing.add(region.region() + " on " + ClusterFigures.name(region.server()));
      } else {
        unknown++;
      }
    }
    return new Coprocessor(RegionService.version(), versions, missing, unknown);
  }
}
