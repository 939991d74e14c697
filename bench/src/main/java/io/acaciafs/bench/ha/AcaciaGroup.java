package io.acaciafs.bench.ha;

import io.acaciafs.bench.compare.Contestant;
import io.acaciafs.bench.compare.Listening;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Three of Acacia's NameNodes, by Raft. */
final class AcaciaGroup extends HaGroup {
  static final List<String> IDS = List.of("nn1", "nn2", "nn3");

  private AcaciaGroup(Nameservice nameservice) {
    super(nameservice);
  }

  /** Formats and starts; one of them serves when this returns. */
  static AcaciaGroup start(Path folder, List<String> jvmOptions) throws IOException {
    Nameservice nameservice = new Nameservice(Contestant.ACACIA, folder, jvmOptions, IDS);
    List<String> members = new ArrayList<>();
    for (String id : IDS) {
      members.add(id + "=" + Nameservice.text(Listening.freeAddress()));
    }
    nameservice.set("acacia.store.engine", "raft");
    nameservice.set("acacia.store.raft.members", String.join(",", members));
    AcaciaGroup group = new AcaciaGroup(nameservice);
    try {
      for (String id : IDS) {
        boolean first = id.equals(IDS.get(0));
        group
            .site(id)
            .run(
                first ? Contestant.ACACIA.format() : List.of("bootstrap"), "format", COMMAND_LIMIT);
        group.startNameNode(id);
      }
      nameservice.awaitActive();
      return group;
    } catch (IOException e) {
      throw group.resources.closeAfter(e);
    }
  }

  /**
   * As {@code acacia raft transfer} does it: {@code haadmin -failover} is two hand-overs at worst.
   */
  @Override
  void handOver(String active, String next) throws IOException {
    nameservice.askToLead(next);
  }
}
