package io.acaciafs.namespace.model;

import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.apache.hadoop.hdfs.protocol.DSQuotaExceededException;
import org.apache.hadoop.hdfs.protocol.NSQuotaExceededException;
import org.apache.hadoop.hdfs.protocol.QuotaByStorageTypeExceededException;

/**
 * Quotas by counting all that is below a directory, before and after an operation: one that would
 * use more of something, and more than the limit, is refused.
 */
final class ModelQuotas {
  static final String NAMES = "names";
  static final String SPACE = "space";

  /** In the order in which they are checked. */
  static final List<String> ALL = List.of(NAMES, SPACE, "DISK", "SSD", "ARCHIVE");

  private ModelQuotas() {}

  /** What a node and all below use of everything that can be limited. */
  static Map<String, Long> usage(Node top) {
    Map<String, Long> usage = new TreeMap<>();
    ALL.forEach(what -> usage.put(what, 0L));
    for (Node node : top.all()) {
      usage.merge(NAMES, 1L, Long::sum);
      usage.merge(SPACE, oneReplica(node) * node.replication, Long::sum);
      if (!node.directory && node.effectivePolicy() != null) {
        for (int replica = 0; replica < node.replication; replica++) {
          usage.merge(type(node.effectivePolicy(), replica), oneReplica(node), Long::sum);
        }
      }
    }
    return usage;
  }

  /** The last block of a file that is open counts as a full one. */
  static long oneReplica(Node file) {
    return file.writer == null || file.blocks.isEmpty()
        ? file.length()
        : file.length() - file.last().length + Model.BLOCK_SIZE;
  }

  private static String type(String policy, int replica) {
    return switch (policy) {
      case "ALL_SSD" -> "SSD";
      case "ONE_SSD" -> replica == 0 ? "SSD" : "DISK";
      case "COLD" -> "ARCHIVE";
      case "WARM" -> replica == 0 ? "DISK" : "ARCHIVE";
      case "LAZY_PERSIST" -> replica == 0 ? "RAM_DISK, which has no quota" : "DISK";
      default -> "DISK";
    };
  }

  /** The exception that an operation gets which would turn one model into the other, or null. */
  static String exceeded(Model before, Model after) {
    Map<Object, Node> nodesBefore =
        before.root.all().stream()
            .filter(node -> node.directory)
            .collect(Collectors.toMap(node -> node.identity, node -> node));
    List<Node> deepestFirst =
        after.root.all().stream()
            .filter(node -> !node.quotas.isEmpty() && nodesBefore.containsKey(node.identity))
            .sorted(Comparator.comparing((Node node) -> node.path().split("/").length).reversed())
            .toList();
    for (Node node : deepestFirst) {
      Map<String, Long> used = usage(nodesBefore.get(node.identity));
      Map<String, Long> wanted = usage(node);
      for (String what : ALL) {
        Long limit = node.quotas.get(what);
        if (limit != null && wanted.get(what) > limit && wanted.get(what) > used.get(what)) {
          return switch (what) {
            case NAMES -> NSQuotaExceededException.class.getName();
            case SPACE -> DSQuotaExceededException.class.getName();
            default -> QuotaByStorageTypeExceededException.class.getName();
          };
        }
      }
    }
    return null;
  }
}
