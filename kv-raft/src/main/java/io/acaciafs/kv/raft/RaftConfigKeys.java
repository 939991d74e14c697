package io.acaciafs.kv.raft;

import static io.acaciafs.settings.Range.between;

import io.acaciafs.kv.raft.call.ChannelSecurity;
import io.acaciafs.kv.raft.call.MutualTls;
import io.acaciafs.settings.Default;
import io.acaciafs.settings.Setting;
import io.acaciafs.settings.SettingSource;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The settings of the engine. */
final class RaftConfigKeys {
  static final Setting<String> MEMBERS =
      Setting.ofText(
          "acacia.store.raft.members",
          Default.none(),
          "name=host:port,...",
          "the NameNodes of the group, an odd number, and where each listens for the others; the"
              + " same on all of them");

  static final Setting<String> MEMBER =
      Setting.ofText(
          "acacia.store.raft.member",
          Default.none(),
          "name",
          "which of the members this NameNode is; where it is not set, `dfs.ha.namenode.id` says it");

  static final Setting<Integer> ELECTION_TIMEOUT_MIN =
      Setting.ofInt(
          "acacia.store.raft.election.timeout.min",
          500,
          between(100, 60_000),
          "ms",
          "how long a follower waits for a sign of the leader, at least, before it stands for"
              + " election; a leader that stands still for longer loses its part. The same on all"
              + " members: a leader answers reads for as long as it believes the others wait. To"
              + " change it, stop all");

  static final Setting<Integer> ELECTION_TIMEOUT_MAX =
      Setting.ofInt(
          "acacia.store.raft.election.timeout.max",
          1_000,
          between(200, 120_000),
          "ms",
          "the same at most; each follower draws a time in between");

  static final Setting<String> TLS_KEY =
      Setting.ofText(
          "acacia.store.raft.tls.key.file",
          Default.none(),
          "path",
          "this NameNode's private key, in the form PEM (PKCS #8) without a password; with it, its"
              + " certificate and the authority the members speak TLS, and take none that shows no"
              + " certificate of the authority");

  static final Setting<String> TLS_CERTIFICATE =
      Setting.ofText(
          "acacia.store.raft.tls.certificate.file",
          Default.none(),
          "path",
          "this NameNode's certificate, PEM, which names the host of its address in"
              + " `acacia.store.raft.members`; for clients and servers of TLS");

  static final Setting<String> TLS_AUTHORITY =
      Setting.ofText(
          "acacia.store.raft.tls.authority.file",
          Default.none(),
          "path",
          "the certificates of the authorities, PEM: the holder of a certificate of one of them is"
              + " taken for a member");

  static final Setting<Integer> COPY_BANDWIDTH =
      Setting.ofInt(
          "acacia.store.raft.copy.bandwidth",
          50,
          between(0, 100_000),
          "MB/s",
          "how fast this NameNode copies the store of another one at most, so that clients are not"
              + " held up; 0: without a limit");

  static final List<Setting<?>> ALL =
      List.of(
          MEMBERS,
          MEMBER,
          ELECTION_TIMEOUT_MIN,
          ELECTION_TIMEOUT_MAX,
          TLS_KEY,
          TLS_CERTIFICATE,
          TLS_AUTHORITY,
          COPY_BANDWIDTH);

  private static final int MEGA = 1_000_000;
  private static final String HA_ID = "dfs.ha.namenode.id";

  private RaftConfigKeys() {}

  /**
   * The members by name, in the order of the setting.
   *
   * @throws IOException with a sentence for people
   */
  static Map<String, String> members(SettingSource site) throws IOException {
    String text = MEMBERS.in(site);
    if (text == null) {
      throw new IOException(
          MEMBERS
              + " is not set. Name the NameNodes of the group, as in nn1=host1:8030,"
              + "nn2=host2:8030,nn3=host3:8030");
    }
    Map<String, String> members = new LinkedHashMap<>();
    for (String member : text.split(",")) {
      String[] parts = member.strip().split("=");
      if (parts.length != 2 || !parts[1].matches("[^:]+:\\d{1,5}") || parts[0].isBlank()) {
        throw new IOException(
            MEMBERS + " has " + member.strip() + "; a member is written as name=host:port");
      }
      if (members.put(parts[0].strip(), parts[1].strip()) != null) {
        throw new IOException(MEMBERS + " names " + parts[0].strip() + " twice");
      }
    }
    if (members.values().stream().distinct().count() < members.size()) {
      throw new IOException(MEMBERS + " gives two members the same address: " + text);
    }
    if (members.size() % 2 == 0) {
      throw new IOException(
          MEMBERS
              + " names "
              + members.size()
              + " members. An even number survives no more failures than one less: take 1, 3 or 5");
    }
    return members;
  }

  /**
   * This NameNode's name.
   *
   * @throws IOException with a sentence for people
   */
  static String member(SettingSource site, Map<String, String> members) throws IOException {
    String name = MEMBER.in(site);
    if (name == null) {
      name = site.value(HA_ID);
    }
    if (name == null || name.isBlank()) {
      throw new IOException(
          "Neither "
              + MEMBER
              + " nor "
              + HA_ID
              + " says which of "
              + members.keySet()
              + " this NameNode is");
    }
    if (!members.containsKey(name)) {
      throw new IOException(name + " is none of " + MEMBERS + ": " + members.keySet());
    }
    return name;
  }

  static long copyBytesPerSecond(SettingSource site) {
    return (long) MEGA * COPY_BANDWIDTH.in(site);
  }

  /**
   * How the members know each other.
   *
   * @throws IOException with a sentence for people
   */
  static ChannelSecurity security(SettingSource site) throws IOException {
    String key = TLS_KEY.in(site);
    String certificate = TLS_CERTIFICATE.in(site);
    String authority = TLS_AUTHORITY.in(site);
    if (key == null && certificate == null && authority == null) {
      return ChannelSecurity.NONE;
    }
    if (key == null || certificate == null || authority == null) {
      throw new IOException(
          "Set all of "
              + List.of(TLS_KEY, TLS_CERTIFICATE, TLS_AUTHORITY)
              + ", so that the members speak TLS, or none of them");
    }
    return new MutualTls(
        new MutualTls.PemFiles(Path.of(key), Path.of(certificate), Path.of(authority)));
  }

  /**
   * @throws IOException with a sentence for people, where members would believe anyone
   */
  static void requireTls(ChannelSecurity security) throws IOException {
    if (security == ChannelSecurity.NONE) {
      throw new IOException(
          "Clients have to prove who they are, but the NameNodes of this group need not between each"
              + " other: set "
              + List.of(TLS_KEY, TLS_CERTIFICATE, TLS_AUTHORITY));
    }
  }

  /**
   * @throws IOException with a sentence for people
   */
  static void requireOrder(int minMs, int maxMs) throws IOException {
    if (maxMs <= minMs) {
      throw new IOException(
          ELECTION_TIMEOUT_MAX
              + " is "
              + maxMs
              + "; it must be more than "
              + ELECTION_TIMEOUT_MIN
              + ", which is "
              + minMs);
    }
  }
}
