package io.acaciafs.namenode.fsck;

import java.io.IOException;
import java.text.NumberFormat;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.protocol.BlockStoragePolicy;
import org.apache.hadoop.hdfs.protocol.ClientProtocol;
import org.jspecify.annotations.Nullable;

/**
 * How many blocks lie on which types of storage, and whether that is what their files' policies
 * want. Used by one thread.
 *
 * <p>Source of the rules and texts: HDFS 3.5's StoragePolicySummary.
 */
final class PolicySummary {
  private static final int DIGITS = 4;

  private final Map<Byte, BlockStoragePolicy> policies;
  private final byte defaultPolicy;
  private final Map<Placed, Long> counts = new HashMap<>();
  private long blocks;

  /**
   * Blocks that are alike.
   *
   * @param types of their replicas, sorted
   */
  private record Placed(List<StorageType> types, @Nullable BlockStoragePolicy wanted) {}

  private PolicySummary(Map<Byte, BlockStoragePolicy> policies, byte defaultPolicy) {
    this.policies = policies;
    this.defaultPolicy = defaultPolicy;
  }

  static PolicySummary of(ClientProtocol client) throws IOException {
    Map<Byte, BlockStoragePolicy> policies = new HashMap<>();
    for (BlockStoragePolicy policy : client.getStoragePolicies()) {
      policies.put(policy.getId(), policy);
    }
    return new PolicySummary(policies, client.getServerDefaults().getDefaultStoragePolicyId());
  }

  /**
   * @param policyId 0: the default
   */
  void add(StorageType[] types, byte policyId) {
    BlockStoragePolicy wanted = policies.get(policyId == 0 ? defaultPolicy : policyId);
    counts.merge(new Placed(Arrays.stream(types).sorted().toList(), wanted), 1L, Long::sum);
    blocks++;
  }

  String text() {
    StringBuilder satisfied =
        new StringBuilder(
            "\nBlocks satisfying the specified storage policy:"
                + "\nStorage Policy                  # of blocks       % of blocks\n");
    StringBuilder others = new StringBuilder();
    List<Map.Entry<Placed, Long>> sorted = new ArrayList<>(counts.entrySet());
    sorted.sort(Map.Entry.<Placed, Long>comparingByValue().reversed());
    for (Map.Entry<Placed, Long> entry : sorted) {
      Placed placed = entry.getKey();
      BlockStoragePolicy actual = matching(placed.types());
      if (placed.wanted() != null && placed.wanted().equals(actual)) {
        satisfied.append(
            String.format(
                "%-25s %10d  %20s%n",
                described(placed, actual), entry.getValue(), percent(entry.getValue())));
      } else {
        others.append(
            String.format(
                "%-35s %-20s %10d  %20s%n",
                described(placed, actual),
                placed.wanted() == null ? "" : placed.wanted().getName(),
                entry.getValue(),
                percent(entry.getValue())));
      }
    }
    return satisfied
        + (others.isEmpty()
            ? "\nAll blocks satisfy specified storage policy.\n"
            : "\nBlocks NOT satisfying the specified storage policy:"
                + "\nStorage Policy                  "
                + "Specified Storage Policy      # of blocks       % of blocks\n"
                + others);
  }

  private String percent(long number) {
    NumberFormat format = NumberFormat.getPercentInstance();
    format.setMinimumFractionDigits(DIGITS);
    format.setMaximumFractionDigits(DIGITS);
    return format.format((double) number / blocks);
  }

  private static String described(Placed placed, @Nullable BlockStoragePolicy actual) {
    Map<StorageType, Integer> byType = new EnumMap<>(StorageType.class);
    placed.types().forEach(type -> byType.merge(type, 1, Integer::sum));
    String types =
        byType.entrySet().stream()
            .map(entry -> entry.getKey() + ":" + entry.getValue())
            .collect(Collectors.joining(","));
    return actual == null ? types : types + "(" + actual.getName() + ")";
  }

  /** The policy whose types these are, the last of them as often as needed; null where none is. */
  private @Nullable BlockStoragePolicy matching(List<StorageType> types) {
    return policies.values().stream()
        .sorted((one, other) -> Byte.compare(other.getId(), one.getId()))
        .filter(policy -> isOf(types, Arrays.stream(policy.getStorageTypes()).sorted().toList()))
        .findFirst()
        .orElse(null);
  }

  private static boolean isOf(List<StorageType> types, List<StorageType> wanted) {
    return wanted.size() <= types.size()
        && types.subList(0, wanted.size()).equals(wanted)
        && types.stream()
            .skip(wanted.size())
            .allMatch(type -> type == wanted.get(wanted.size() - 1));
  }
}
