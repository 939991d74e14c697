package io.acaciafs.tools.raft;

import com.fasterxml.jackson.databind.JsonNode;
import io.acaciafs.namenode.ha.GroupChange;
import io.acaciafs.tools.common.CommandFailure;
import io.acaciafs.tools.common.ConfigurationOptions;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.ha.HAServiceProtocol.RequestSource;
import org.apache.hadoop.ha.HAServiceProtocol.StateChangeRequestInfo;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** The NameNodes of a nameservice of which one leads. */
@Command(
    name = "raft",
    description =
        "Shows the NameNodes of which one leads, has another one lead, changes the group.",
    synopsisSubcommandLabel = "COMMAND")
public final class RaftCommand {
  private static final StateChangeRequestInfo BY_USER =
      new StateChangeRequestInfo(RequestSource.REQUEST_BY_USER);

  /** Exits with 1 where one does not answer, or none leads. */
  @Command(
      name = "status",
      description = "Shows of each NameNode whether it leads, and how far it is.")
  int status(@Mixin ConfigurationOptions configuration) throws CommandFailure {
    boolean isWhole = true;
    int leaders = 0;
    JsonNode leader = null;
    System.out.printf("%-8s %-24s %-9s %6s %12s%n", "Name", "Address", "Role", "Term", "Batch");
    for (GroupMember member : GroupMember.all(configuration.load())) {
      try {
        JsonNode said = member.replication();
        boolean leads = said.path("Leads").asBoolean();
        leaders += leads ? 1 : 0;
        leader = leads ? said : leader;
        System.out.printf(
            Locale.ROOT,
            "%-8s %-24s %-9s %6d %,12d%n",
            member.name(),
            member.address(),
            leads ? "leads" : "stands by",
            said.path("Term").asLong(),
            said.path("AppliedBatch").asLong());
      } catch (IOException e) {
        isWhole = false;
        System.out.printf("%-8s %-24s no answer: %s%n", member.name(), member.address(), e);
      }
    }
    if (leader != null) {
      describe(leader);
    } else {
      System.out.println("None leads.");
    }
    return isWhole && leaders == 1 ? 0 : 1;
  }

  private static void describe(JsonNode leader) {
    leader
        .path("Followers")
        .forEach(
            follower ->
                System.out.printf(
                    Locale.ROOT,
                    "%s lacks %,d entries of the log, and answered %,d ms ago%n",
                    follower.path("key").asText(),
                    follower.path("value").path("EntriesBehind").asLong(),
                    follower.path("value").path("SilentMs").asLong()));
    if (leader.has("LastFailoverTime")) {
      String from = leader.path("LastFailoverFrom").asText();
      String why = leader.path("LastFailoverReason").asText();
      System.out.printf(
          "Last failover %s,%s to %s%s%n",
          Instant.ofEpochMilli(leader.path("LastFailoverTime").asLong()),
          from.isEmpty() ? "" : " from " + from,
          leader.path("LastFailoverTo").asText(),
          why.isEmpty() ? "" : ": " + why);
    }
  }

  @Command(name = "transfer", description = "Has a certain NameNode lead.")
  int transfer(
      @Mixin ConfigurationOptions configuration,
      @Parameters(paramLabel = "NAME", description = "One of dfs.ha.namenodes.") String name)
      throws CommandFailure, IOException {
    Configuration conf = configuration.load();
    List<GroupMember> members = GroupMember.all(conf);
    for (GroupMember member : members) {
      if (member.name().equals(name)) {
        member.service().transitionToActive(BY_USER);
        System.out.println(name + " leads.");
        return 0;
      }
    }
    throw new CommandFailure(
        name + " is none of the NameNodes " + members.stream().map(GroupMember::name).toList());
  }

  @Command(
      name = "step-down",
      description = "Has another NameNode lead than now; the group chooses.")
  int stepDown(@Mixin ConfigurationOptions configuration) throws CommandFailure, IOException {
    GroupMember leader = leader(GroupMember.all(configuration.load()));
    if (leader == null) {
      throw new CommandFailure("None leads.");
    }
    leader.service().transitionToStandby(BY_USER);
    System.out.println(leader.name() + " leads no more.");
    return 0;
  }

  @Command(
      name = "add",
      description =
          "Makes one more NameNode a member of the group. It runs already, after 'acacia bootstrap'.")
  int add(
      @Mixin ConfigurationOptions configuration,
      @Parameters(index = "0", paramLabel = "NAME", description = "As its settings name it.")
          String name,
      @Parameters(
              index = "1",
              paramLabel = "HOST:PORT",
              description = "Where it listens for the others.")
          String address)
      throws IOException, CommandFailure {
    if (!address.matches("[^:]+:\\d{1,5}")) {
      throw new CommandFailure(address + " is not written as host:port");
    }
    System.out.println(GroupChange.add(configuration.load(), name, address));
    return 0;
  }

  @Command(
      name = "remove",
      description = "Removes a NameNode, dead or alive, from the group. One that is alive ends.")
  int remove(
      @Mixin ConfigurationOptions configuration,
      @Parameters(paramLabel = "NAME", description = "A member that does not lead.") String name)
      throws IOException {
    System.out.println(GroupChange.remove(configuration.load(), name));
    return 0;
  }

  private static @Nullable GroupMember leader(List<GroupMember> members) {
    for (GroupMember member : members) {
      try {
        if (member.replication().path("Leads").asBoolean()) {
          return member;
        }
      } catch (IOException e) {
        // another one may lead
      }
    }
    return null;
  }
}
