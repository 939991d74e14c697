package io.acaciafs.blocks.placement;

import io.acaciafs.blocks.datanode.ClusterView;
import io.acaciafs.blocks.datanode.Datanode;
import io.acaciafs.blocks.datanode.Liveness;
import io.acaciafs.blocks.datanode.Storage;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.random.RandomGenerator;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.protocol.BlockStoragePolicy;
import org.jspecify.annotations.Nullable;

/**
 * HDFS's placement: the first replica on the writer's node, the second on another rack, the third
 * on the rack of the second, the rest anywhere; never two on one node, and not too many on one
 * rack. A {@link PlacementPolicy} may have other rules for racks, and further rules for nodes.
 * Favored nodes come first. If a rule finds no node, placement searches the next wider scope. Each
 * replica goes to a storage of a type that the file's policy asks for; the policy's fallbacks
 * replace types of which there are too few.
 *
 * <p>One run of it chooses for one block, from a view that does not change meanwhile; used once, by
 * one thread. Reads memory only.
 */
final class BlockPlacement {
  /**
   * Where a block is written from.
   *
   * @param node the DataNode on the writer's host; null where there is none
   * @param rack where the writer is; null where it is not known
   * @param avoidsNode whether the node gets a replica only if there are not enough others
   * @param avoidsRack the same of the rack
   */
  record Writer(
      @Nullable Datanode node, @Nullable String rack, boolean avoidsNode, boolean avoidsRack) {}

  /**
   * @param favored nodes to try first, in this order
   * @param existing replicas that the block has already, which count for all rules; {@code
   *     replication} includes them
   * @param policy says which types of storage are used
   */
  record Request(
      int replication,
      Writer writer,
      Set<String> excludedDatanodeUuids,
      List<Datanode> favored,
      long blockSizeBytes,
      List<Storage> existing,
      BlockStoragePolicy policy) {}

  private final PlacementPolicy spread;
  private final Request request;
  private final ClusterView view;
  private final ClusterLoad load;
  private final Liveness liveness;
  private final RandomGenerator random;
  private final int wanted;
  private final List<Storage> chosen = new ArrayList<>();
  private Map<StorageType, Integer> types = Map.of();
  private int mostOnOneRack;
  private boolean avoidsStale;
  private boolean avoidsWriterNode;
  private boolean avoidsWriterRack;

  BlockPlacement(
      PlacementPolicy spread,
      Request request,
      ClusterView view,
      ClusterLoad load,
      Liveness liveness,
      RandomGenerator random) {
    this.spread = spread;
    this.request = request;
    this.view = view;
    this.load = load;
    this.liveness = liveness;
    this.random = random;
    this.wanted = Math.min(request.replication(), load.liveNodes());
    chosen.addAll(request.existing());
  }

  /**
   * @return at most as many storages as asked for, fewer where there are not more, in the order of
   *     the pipeline
   */
  List<Storage> choose() {
    if (request.writer().avoidsRack() && request.writer().rack() != null && load.liveRacks() > 2) {
      avoidsWriterRack = true;
      chooseAll();
    }
    if (chosen.size() < wanted
        && request.writer().avoidsNode()
        && request.writer().node() != null) {
      avoidsWriterRack = false;
      avoidsWriterNode = true;
      reset();
      chooseAll();
    }
    if (chosen.size() < wanted) {
      avoidsWriterRack = false;
      avoidsWriterNode = false;
      reset();
      chooseAll();
    }
    return Pipeline.order(
        chosen.subList(request.existing().size(), chosen.size()), request.writer().node());
  }

  private void reset() {
    chosen.clear();
    chosen.addAll(request.existing());
  }

  /**
   * As HDFS: nodes that are stale, and then types of storage that there are not enough of, are
   * given up on one after the other, and what was found before stays.
   */
  private void chooseAll() {
    EnumSet<StorageType> unavailable = EnumSet.noneOf(StorageType.class);
    avoidsStale = load.avoidsStale();
    while (chosen.size() < wanted) {
      types =
          StoragePolicyRules.missing(
              request.policy(), wanted, chosen, unavailable, request.existing().isEmpty());
      fill();
      if (avoidsStale) {
        avoidsStale = false;
      } else if (!unavailable.addAll(types.keySet())) {
        return;
      }
    }
  }

  private void fill() {
    mostOnOneRack = spread.mostOnOneRack(wanted, load.liveRacks());
    for (Datanode node : request.favored()) {
      if (isWanting()) {
        accept(node);
      }
    }
    for (int limit : spread.rackLimits(wanted, load.liveRacks())) {
      mostOnOneRack = limit;
      while (isWanting() && chooseNext()) {}
    }
  }

  private boolean isWanting() {
    return chosen.size() < wanted && !types.isEmpty();
  }

  private boolean chooseNext() {
    if (!spread.usesTwoRacks()) {
      return chosen.isEmpty() ? chooseFirst() : chooseAny();
    }
    return switch (chosen.size()) {
      case 0 -> chooseFirst();
      case 1 -> chooseOffRack(rack(0)) || chooseAny();
      case 2 ->
          rack(0).equals(rack(1))
              ? chooseOffRack(rack(0)) || chooseAny()
              : chooseOnRack(rack(1)) || chooseAny();
      default -> chooseAny();
    };
  }

  /** On the writer's own node its load does not matter: the data is there already. */
  private boolean chooseFirst() {
    return request.writer().node() != null && accept(request.writer().node())
        || request.writer().rack() != null && chooseOnRack(request.writer().rack())
        || chooseAny();
  }

  private boolean chooseOnRack(String rack) {
    return chooseAmong(view.onRack(rack), node -> true);
  }

  private boolean chooseOffRack(String rack) {
    return load.liveRacks() > 1
        && chooseAmong(view.datanodes(), node -> !node.networkLocation().equals(rack));
  }

  private boolean chooseAny() {
    return chooseAmong(view.datanodes(), node -> true);
  }

  /** The first type that any of the nodes has decides. */
  private boolean chooseAmong(List<Datanode> nodes, Predicate<Datanode> isWanted) {
    for (StorageType type : List.copyOf(types.keySet())) {
      if (chooseAmong(nodes, isWanted, type)) {
        return true;
      }
    }
    return false;
  }

  /** Tries nodes in random order; the order is drawn only as far as it is needed. */
  private boolean chooseAmong(
      List<Datanode> nodes, Predicate<Datanode> isWanted, StorageType type) {
    SpaceBalance balance = spread.balance();
    Datanode found = null;
    Map<Integer, Integer> moved = new HashMap<>();
    for (int left = nodes.size(); left > 0; left--) {
      int drawn = random.nextInt(left);
      int last = moved.getOrDefault(left - 1, left - 1);
      Integer at = moved.put(drawn, last);
      Datanode node = nodes.get(at == null ? drawn : at);
      if (isWanted.test(node) && !load.isOverloaded(node) && isGood(node)) {
        if (balance == null) {
          if (take(node, type)) {
            return true;
          }
        } else if (hasRoom(node, type)) {
          if (found != null) {
            return take(balance.choose(found, node, random), type);
          }
          found = node;
        }
      }
    }
    return found != null && take(found, type);
  }

  private boolean hasRoom(Datanode node, StorageType type) {
    return StorageChoice.choose(node, type, request.blockSizeBytes(), random) != null;
  }

  /** Of a node that is as good as given any type will do. */
  private boolean accept(Datanode node) {
    if (isGood(node)) {
      for (StorageType type : List.copyOf(types.keySet())) {
        if (take(node, type)) {
          return true;
        }
      }
    }
    return false;
  }

  private boolean take(Datanode node, StorageType type) {
    Storage storage = StorageChoice.choose(node, type, request.blockSizeBytes(), random);
    if (storage == null) {
      return false;
    }
    types.computeIfPresent(type, (key, count) -> count == 1 ? null : count - 1);
    return chosen.add(storage);
  }

  private boolean isGood(Datanode node) {
    if (!node.isInService()
        || request.excludedDatanodeUuids().contains(node.uuid())
        || avoidsWriterNode && node == request.writer().node()
        || avoidsWriterRack && node.networkLocation().equals(request.writer().rack())) {
      return false;
    }
    int onRack = 0;
    for (Storage storage : chosen) {
      if (storage.datanode() == node) {
        return false;
      }
      if (storage.datanode().networkLocation().equals(node.networkLocation())) {
        onRack++;
      }
    }
    return onRack < mostOnOneRack
        && spread.admits(node, chosen)
        && switch (liveness.of(node)) {
          case LIVE -> true;
          case STALE -> !avoidsStale;
          case AWAITED, DEAD -> false;
        };
  }

  private String rack(int place) {
    return chosen.get(place).datanode().networkLocation();
  }
}
