package io.acaciafs.blocks.placement;

import static org.assertj.core.api.Assertions.assertThat;

import io.acaciafs.blocks.datanode.ClusterView;
import io.acaciafs.blocks.datanode.Datanode;
import io.acaciafs.blocks.datanode.Liveness;
import io.acaciafs.blocks.datanode.NodeVersion;
import io.acaciafs.blocks.datanode.Storage;
import io.acaciafs.blocks.settings.BlockSettings;
import io.acaciafs.blocks.testkit.TestClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.protocol.DatanodeID;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockStoragePolicySuite;
import org.apache.hadoop.hdfs.server.protocol.DatanodeStorage;
import org.apache.hadoop.hdfs.server.protocol.StorageReport;
import org.junit.jupiter.api.Test;

class BlockPlacementTest {
  private static final long BLOCK_SIZE = 1000;
  private static final int TRIES = 200;
  private static final BlockStoragePolicySuite SUITE = BlockStoragePolicySuite.createDefaultSuite();

  private final TestClock clock = new TestClock();
  private final Configuration conf = new Configuration(false);
  private final NodeVersion version = new NodeVersion();
  private final Liveness liveness = new Liveness(clock, BlockSettings.of(conf), version);
  private final List<Datanode> nodes = new ArrayList<>();
  private final Random random = new Random(5);
  private int lastIndex;

  @Test
  void replicasSpreadOverTwoRacksAsHdfsDoes() {
    racks(4, 5);
    Datanode writer = nodes.get(7);
    Set<Storage> seen = new HashSet<>();
    for (int i = 0; i < TRIES; i++) {
      List<Storage> chosen = choose(new Request(3).writer(writer));
      assertThat(chosen).hasSize(3);
      assertThat(chosen.get(0).datanode()).isSameAs(writer);
      assertThat(rack(chosen.get(1))).isNotEqualTo(rack(chosen.get(0)));
      assertThat(rack(chosen.get(2))).isEqualTo(rack(chosen.get(1)));
      seen.addAll(chosen);
    }
    assertThat(seen).as("all other racks are used").hasSize(16);
  }

  @Test
  void writerElsewhereGetsAnyNode() {
    racks(2, 3);
    Set<Datanode> firsts = new HashSet<>();
    for (int i = 0; i < TRIES; i++) {
      firsts.add(choose(new Request(2)).get(0).datanode());
    }
    assertThat(firsts).hasSize(6);
  }

  @Test
  void writerOnAKnownRackGetsANodeOfIt() {
    racks(3, 3);
    for (int i = 0; i < TRIES; i++) {
      assertThat(rack(choose(new Request(3).writerRack("/r2")).get(0))).isEqualTo("/r2");
    }
  }

  @Test
  void singleNodeAndSingleRackWork() {
    racks(1, 1);
    assertThat(choose(new Request(3).writer(nodes.get(0)))).hasSize(1);
    add("/r1", 1, 1_000_000);
    add("/r1", 1, 1_000_000);
    assertThat(choose(new Request(3))).hasSize(3);
    assertThat(choose(new Request(2))).hasSize(2);
  }

  @Test
  void noNodeNoTarget() {
    assertThat(choose(new Request(3))).isEmpty();
  }

  /** Any cluster, any request: the rules that hold whatever is chosen. */
  @Test
  void rulesHoldInEveryCluster() {
    for (int seed = 0; seed < 2000; seed++) {
      Random dice = new Random(seed);
      nodes.clear();
      int racks = 1 + dice.nextInt(5);
      int count = 1 + dice.nextInt(12);
      for (int i = 0; i < count; i++) {
        boolean isFull = dice.nextInt(5) == 0;
        add("/r" + dice.nextInt(racks), 1 + dice.nextInt(3), isFull ? BLOCK_SIZE - 1 : 1_000_000);
      }
      Set<String> excluded =
          nodes.stream()
              .filter(node -> dice.nextInt(4) == 0)
              .map(Datanode::uuid)
              .collect(Collectors.toSet());
      Datanode writer = dice.nextBoolean() ? nodes.get(dice.nextInt(count)) : null;
      int replication = 1 + dice.nextInt(6);
      Request request = new Request(replication).writer(writer).excluded(excluded);
      List<Storage> chosen = choose(request);

      List<Datanode> usable =
          nodes.stream()
              .filter(node -> !excluded.contains(node.uuid()))
              .filter(node -> node.storages().iterator().next().writableBytes() >= BLOCK_SIZE)
              .toList();
      long usableRacks = usable.stream().map(Datanode::networkLocation).distinct().count();
      Map<String, Long> perRack =
          chosen.stream().collect(Collectors.groupingBy(s -> rack(s), Collectors.counting()));
      int allRacks = (int) nodes.stream().map(Datanode::networkLocation).distinct().count();
      int most = PlacementPolicy.of(conf).mostOnOneRack(Math.min(replication, count), allRacks);
      assertThat(chosen).as("seed %d", seed).hasSizeLessThanOrEqualTo(replication);
      assertThat(chosen.stream().map(Storage::datanode).toList())
          .as("seed %d", seed)
          .doesNotHaveDuplicates()
          .isSubsetOf(usable);
      assertThat(perRack.values()).as("seed %d", seed).allMatch(onRack -> onRack <= most);
      if (chosen.size() >= 2 && usableRacks >= 2) {
        assertThat(perRack).as("seed %d", seed).hasSizeGreaterThanOrEqualTo(2);
      }
      long possible =
          usable.stream()
              .collect(Collectors.groupingBy(Datanode::networkLocation, Collectors.counting()))
              .values()
              .stream()
              .mapToLong(onRack -> Math.min(onRack, most))
              .sum();
      assertThat((long) chosen.size())
          .as("seed %d", seed)
          .isEqualTo(Math.min(Math.min(replication, count), possible));
      if (writer != null && usable.contains(writer)) {
        assertThat(chosen.get(0).datanode()).as("seed %d", seed).isSameAs(writer);
      }
    }
  }

  @Test
  void overloadedNodesAreAvoidedButForTheirOwnWriter() {
    racks(1, 4);
    heartbeat(nodes.get(0), 1_000_000, 100);
    for (int i = 0; i < TRIES; i++) {
      assertThat(choose(new Request(3))).noneMatch(s -> s.datanode() == nodes.get(0));
    }
    assertThat(choose(new Request(3).writer(nodes.get(0))).get(0).datanode())
        .isSameAs(nodes.get(0));
    conf.setBoolean("dfs.namenode.redundancy.considerLoad", false);
    assertThat(choose(new Request(4))).hasSize(4);
  }

  @Test
  void deadNodesAreNotChosen() {
    racks(2, 2);
    clock.advance(Duration.ofMinutes(11));
    heartbeat(nodes.get(0), 1_000_000, 1);
    heartbeat(nodes.get(3), 1_000_000, 1);
    assertThat(choose(new Request(3)))
        .extracting(Storage::datanode)
        .containsExactlyInAnyOrder(nodes.get(0), nodes.get(3));
  }

  @Test
  void staleNodesAreTheLastResortWhenTheSiteWantsIt() {
    racks(1, 4);
    clock.advance(Duration.ofSeconds(31));
    nodes.subList(1, 4).forEach(node -> heartbeat(node, 1_000_000, 1));
    conf.setBoolean("dfs.namenode.avoid.write.stale.datanode", true);
    for (int i = 0; i < TRIES; i++) {
      assertThat(choose(new Request(3))).noneMatch(s -> s.datanode() == nodes.get(0));
    }
    assertThat(choose(new Request(4))).hasSize(4);
  }

  @Test
  void favoredNodesComeFirst() {
    racks(3, 3);
    List<Datanode> favored = List.of(nodes.get(8), nodes.get(4));
    for (int i = 0; i < TRIES; i++) {
      assertThat(choose(new Request(3).favored(favored)))
          .extracting(Storage::datanode)
          .containsAll(favored);
    }
    assertThat(choose(new Request(3).favored(favored).excluded(Set.of(favored.get(0).uuid()))))
        .hasSize(3)
        .extracting(Storage::datanode)
        .contains(favored.get(1))
        .doesNotContain(favored.get(0));
  }

  @Test
  void writerMayAskNotToWriteToItsNodeOrRack() {
    racks(3, 2);
    Datanode writer = nodes.get(0);
    for (int i = 0; i < TRIES; i++) {
      assertThat(choose(new Request(3).writer(writer).avoiding(true, false)))
          .hasSize(3)
          .noneMatch(s -> s.datanode() == writer);
      assertThat(choose(new Request(3).writer(writer).avoiding(false, true)))
          .hasSize(3)
          .noneMatch(s -> rack(s).equals(writer.networkLocation()));
    }
  }

  @Test
  void wishNotToWriteLocallyYieldsToNeed() {
    racks(1, 3);
    assertThat(choose(new Request(3).writer(nodes.get(0)).avoiding(true, true))).hasSize(3);
  }

  @Test
  void filesWithoutAPolicyGoToDisksAlone() {
    Datanode node = add("/r1", 0, 0);
    for (StorageType type : StorageType.values()) {
      if (type != StorageType.DISK) {
        storage(node, type, 1_000_000);
      }
    }
    assertThat(choose(new Request(1))).isEmpty();
    Storage disk = storage(node, StorageType.DISK, BLOCK_SIZE);
    assertThat(choose(new Request(1))).containsExactly(disk);
  }

  @Test
  void policiesSayWhichTypesOfStorageAreUsed() {
    for (int rack = 1; rack <= 3; rack++) {
      for (int i = 0; i < 3; i++) {
        Datanode node = add("/r" + rack, 1, 1_000_000);
        storage(node, i == 0 ? StorageType.SSD : StorageType.ARCHIVE, 1_000_000);
      }
    }
    for (int i = 0; i < TRIES; i++) {
      assertThat(types(new Request(3).policy("HOT"))).isEqualTo("DISK DISK DISK");
      assertThat(types(new Request(3).policy("WARM"))).isEqualTo("ARCHIVE ARCHIVE DISK");
      assertThat(types(new Request(3).policy("COLD"))).isEqualTo("ARCHIVE ARCHIVE ARCHIVE");
      assertThat(types(new Request(3).policy("ONE_SSD"))).isEqualTo("DISK DISK SSD");
      assertThat(types(new Request(3).policy("ALL_SSD"))).isEqualTo("SSD SSD SSD");
      assertThat(types(new Request(3).policy("LAZY_PERSIST"))).isEqualTo("DISK DISK DISK");
    }
  }

  @Test
  void newBlocksUseTheFallbacksForCreation() {
    racks(1, 3);
    storage(nodes.get(0), StorageType.SSD, 1_000_000);
    assertThat(types(new Request(3).policy("ALL_SSD"))).isEqualTo("DISK DISK SSD");
    assertThat(types(new Request(3).policy("WARM"))).isEqualTo("DISK DISK DISK");
    assertThat(types(new Request(3).policy("COLD"))).isEmpty();
  }

  @Test
  void copiesUseTheFallbacksForReplication() {
    Datanode first = add("/r1", 1, 1_000_000);
    storage(add("/r1", 0, 0), StorageType.ARCHIVE, 1_000_000);
    Storage there = first.storages().iterator().next();
    assertThat(types(new Request(2).policy("HOT"))).isEqualTo("DISK");
    assertThat(types(new Request(2).policy("HOT").existing(there).excluded(Set.of(first.uuid()))))
        .isEqualTo("ARCHIVE");
  }

  @Test
  void writersNodeIsUsedWithWhicheverTypeItHas() {
    racks(2, 2);
    Datanode writer = nodes.get(3);
    storage(nodes.get(0), StorageType.SSD, 1_000_000);
    for (int i = 0; i < TRIES; i++) {
      List<Storage> chosen = choose(new Request(2).writer(writer).policy("ONE_SSD"));
      assertThat(chosen).extracting(Storage::datanode).containsExactly(writer, nodes.get(0));
      assertThat(chosen)
          .extracting(Storage::type)
          .containsExactly(StorageType.DISK, StorageType.SSD);
    }
  }

  /** In alphabetic order. */
  private String types(Request request) {
    return choose(request).stream()
        .map(storage -> storage.type().name())
        .sorted()
        .collect(Collectors.joining(" "));
  }

  @Test
  void storagesFillEvenly() {
    Datanode node = add("/r1", 0, 0);
    Storage small = storage(node, StorageType.DISK, 100_000);
    storage(node, StorageType.DISK, 300_000);
    storage(node, StorageType.DISK, BLOCK_SIZE - 1);
    List<Storage> all = new ArrayList<>();
    for (int i = 0; i < 4000; i++) {
      all.addAll(choose(new Request(1)));
    }
    assertThat(Collections.frequency(all, small)).isBetween(800, 1200);
  }

  private final class Request {
    private final int replication;
    private Datanode writer;
    private String writerRack;
    private Set<String> excluded = Set.of();
    private List<Datanode> favored = List.of();
    private boolean avoidsNode;
    private boolean avoidsRack;
    private List<Storage> existing = List.of();
    private String policy = "HOT";

    Request(int replication) {
      this.replication = replication;
    }

    Request writer(Datanode datanode) {
      writer = datanode;
      writerRack = datanode == null ? null : datanode.networkLocation();
      return this;
    }

    Request writerRack(String rack) {
      writerRack = rack;
      return this;
    }

    Request excluded(Set<String> uuids) {
      excluded = uuids;
      return this;
    }

    Request favored(List<Datanode> wanted) {
      favored = wanted;
      return this;
    }

    Request avoiding(boolean node, boolean rack) {
      avoidsNode = node;
      avoidsRack = rack;
      return this;
    }

    Request policy(String name) {
      policy = name;
      return this;
    }

    Request existing(Storage... storages) {
      existing = List.of(storages);
      return this;
    }

    BlockPlacement.Request build() {
      return new BlockPlacement.Request(
          replication,
          new BlockPlacement.Writer(writer, writerRack, avoidsNode, avoidsRack),
          excluded,
          favored,
          BLOCK_SIZE,
          existing,
          SUITE.getPolicy(policy));
    }
  }

  @Test
  void theRackFaultTolerantPolicySpreadsEvenly() {
    conf.set(
        "dfs.block.replicator.classname",
        "org.apache.hadoop.hdfs.server.blockmanagement.BlockPlacementPolicyRackFaultTolerant");
    racks(4, 4);
    for (int i = 0; i < 50; i++) {
      assertThat(racksOf(choose(new Request(3))).values()).containsExactly(1, 1, 1);
      assertThat(racksOf(choose(new Request(6))).values()).containsExactlyInAnyOrder(1, 1, 2, 2);
      assertThat(racksOf(choose(new Request(8))).values()).containsExactly(2, 2, 2, 2);
    }
  }

  @Test
  void theRackFaultTolerantPolicyFillsOtherRacksWhereOneIsTooSmall() {
    conf.set(
        "dfs.block.replicator.classname",
        "org.apache.hadoop.hdfs.server.blockmanagement.BlockPlacementPolicyRackFaultTolerant");
    racks(1, 6);
    add("/small", 1, 1_000_000);
    assertThat(racksOf(choose(new Request(6)))).containsEntry("/small", 1).containsEntry("/r1", 5);
  }

  @Test
  void theEmptierOfTwoNodesIsPreferred() {
    for (String policy :
        List.of(
            "AvailableSpaceBlockPlacementPolicy",
            "AvailableSpaceRackFaultTolerantBlockPlacementPolicy")) {
      nodes.clear();
      racks(1, 2);
      Datanode full = nodes.get(0);
      Datanode emptier = nodes.get(1);
      policy(policy);
      use(full, 80);
      use(emptier, 20);
      assertThat(timesChosen(emptier)).as(policy).isBetween(1100, 1300); // of 2000: 60 %
      use(emptier, 78);
      assertThat(timesChosen(emptier)).as(policy + " as full").isBetween(850, 1099);
      use(emptier, 80);
      assertThat(timesChosen(emptier)).as(policy + " just as full").isBetween(850, 1099);
    }
  }

  @Test
  void howMuchTheEmptierOneIsPreferredCanBeSet() {
    racks(1, 2);
    use(nodes.get(0), 80);
    use(nodes.get(1), 77);
    policy("AvailableSpaceBlockPlacementPolicy");
    String prefix = "dfs.namenode.available-space-block-placement-policy.balanced-space-";
    conf.set(prefix + "preference-fraction", "1.0");
    assertThat(timesChosen(nodes.get(1))).isBetween(850, 1150);
    conf.setInt(prefix + "tolerance", 2);
    assertThat(timesChosen(nodes.get(1))).isEqualTo(2000);
    conf.setInt(prefix + "tolerance", 20);
    conf.setInt(prefix + "tolerance-limit", 79);
    assertThat(timesChosen(nodes.get(1))).isEqualTo(2000);
    conf.setInt(prefix + "tolerance", 21); // out of range: 5
    conf.setInt(prefix + "tolerance-limit", 100);
    assertThat(timesChosen(nodes.get(1))).isBetween(850, 1150);
  }

  @Test
  void theRulesForRacksHoldWithSpaceBalance() {
    racks(3, 3);
    use(nodes.get(0), 90);
    policy("AvailableSpaceBlockPlacementPolicy");
    for (int i = 0; i < TRIES; i++) {
      List<Storage> chosen = choose(new Request(3).writer(nodes.get(0)));
      assertThat(chosen.get(0).datanode()).isSameAs(nodes.get(0));
      assertThat(racksOf(chosen)).hasSize(2);
    }
    policy("AvailableSpaceRackFaultTolerantBlockPlacementPolicy");
    for (int i = 0; i < TRIES; i++) {
      assertThat(racksOf(choose(new Request(3)))).hasSize(3);
    }
  }

  private void policy(String name) {
    conf.set(
        "dfs.block.replicator.classname", "org.apache.hadoop.hdfs.server.blockmanagement." + name);
  }

  private int timesChosen(Datanode node) {
    int times = 0;
    for (int i = 0; i < 2000; i++) {
      if (choose(new Request(1)).get(0).datanode() == node) {
        times++;
      }
    }
    return times;
  }

  /** With room for blocks in any case. */
  private void use(Datanode node, int percent) {
    StorageReport[] reports =
        node.storages().stream()
            .map(
                s ->
                    new StorageReport(
                        s.description(), false, 2_000_000, 20_000L * percent, 1_000_000, 0, 0))
            .toArray(StorageReport[]::new);
    node.heartbeat(reports, new Datanode.Load(0, 0, 1, 0), clock.millis(), liveness);
  }

  private static Map<String, Integer> racksOf(List<Storage> chosen) {
    Map<String, Integer> racks = new TreeMap<>();
    chosen.forEach(storage -> racks.merge(storage.datanode().networkLocation(), 1, Integer::sum));
    return racks;
  }

  private List<Storage> choose(Request request) {
    BlockSettings settings = BlockSettings.of(conf);
    ClusterView view = ClusterView.of(nodes);
    ClusterLoad load = ClusterLoad.of(view, liveness, settings);
    return new BlockPlacement(
            PlacementPolicy.of(conf), request.build(), view, load, liveness, random)
        .choose();
  }

  private void racks(int racks, int nodesEach) {
    for (int rack = 1; rack <= racks; rack++) {
      for (int i = 0; i < nodesEach; i++) {
        add("/r" + rack, 1, 1_000_000);
      }
    }
  }

  private Datanode add(String rack, int storages, long remaining) {
    int number = nodes.size() + 1;
    String ip = "10.0.0." + number;
    Datanode node =
        new Datanode(
            new DatanodeID(ip, ip, "uuid-" + number, 1, 2, 3, 4),
            "3.5.0",
            rack,
            clock.millis(),
            version);
    for (int i = 0; i < storages; i++) {
      storage(node, StorageType.DISK, remaining);
    }
    nodes.add(node);
    heartbeat(node, remaining, 1);
    return node;
  }

  private Storage storage(Datanode node, StorageType type, long remaining) {
    int index = ++lastIndex;
    DatanodeStorage description =
        new DatanodeStorage("DS-" + index, DatanodeStorage.State.NORMAL, type);
    Storage storage = new Storage(index, node, description);
    storage.update(new StorageReport(description, false, 2_000_000, 0, remaining, 0, 0));
    node.add(storage);
    return storage;
  }

  private void heartbeat(Datanode node, long remaining, int xceivers) {
    StorageReport[] reports =
        node.storages().stream()
            .map(s -> new StorageReport(s.description(), false, 2_000_000, 0, remaining, 0, 0))
            .toArray(StorageReport[]::new);
    node.heartbeat(reports, new Datanode.Load(0, 0, xceivers, 0), clock.millis(), liveness);
  }

  private static String rack(Storage storage) {
    return storage.datanode().networkLocation();
  }
}
