package io.acaciafs.bench.ha;

import io.acaciafs.bench.compare.Contestant;
import io.acaciafs.bench.compare.Listening;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Three of Acacia's NameNodes, by Raft. */
final class AcaciaGroup extends HaGroup {
  static final String FIRST = "nn1";
  static final List<String> IDS = List.of(FIRST, "nn2", "nn3");

  private static final Duration COPY_LIMIT = Duration.ofHours(1);

  private AcaciaGroup(Nameservice nameservice) {
    super(nameservice);
  }

  /** Formats and starts; one of them serves when this returns. */
  static AcaciaGroup start(Path folder, List<String> jvmOptions) throws IOException {
    return start(folder, jvmOptions, Map.of());
  }

  /**
   * @param settings of the NameNodes, beside those that they need
   */
  static AcaciaGroup start(Path folder, List<String> jvmOptions, Map<String, String> settings)
      throws IOException {
    AcaciaGroup group = configure(folder, jvmOptions);
    settings.forEach(group.nameservice::set);
    try {
      for (String id : IDS) {
        if (id.equals(FIRST)) {
          group.format();
        } else {
          group.bootstrap(id);
        }
        group.startNameNode(id);
      }
      group.nameservice.awaitActive();
      return group;
    } catch (IOException e) {
      throw group.resources.closeAfter(e);
    }
  }

  /** Chooses addresses; none is formatted or started. */
  static AcaciaGroup configure(Path folder, List<String> jvmOptions) throws IOException {
    Nameservice nameservice = new Nameservice(Contestant.ACACIA, folder, jvmOptions, IDS);
    List<String> members = new ArrayList<>();
    for (String id : IDS) {
      members.add(id + "=" + Nameservice.text(Listening.freeAddress()));
    }
    nameservice.set("acacia.store.engine", "raft");
    nameservice.set("acacia.store.raft.members", String.join(",", members));
    return new AcaciaGroup(nameservice);
  }

  /** Formats the first one. */
  void format() throws IOException {
    site(FIRST).run(Contestant.ACACIA.format(), "format", COMMAND_LIMIT);
  }

  /** Has one of the others copy the store. */
  void bootstrap(String id) throws IOException {
    site(id).run(List.of("bootstrap"), "bootstrap", COPY_LIMIT);
  }

  /**
   * As {@code acacia raft transfer} does it: {@code haadmin -failover} is two hand-overs at worst.
   */
  @Override
  void handOver(String active, String next) throws IOException {
    nameservice.askToLead(next);
  }
}
