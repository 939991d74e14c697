package io.acaciafs.bench.security;

import io.acaciafs.bench.sasl.TicketLogin;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import javax.security.auth.Subject;

/**
 * A KDC that runs on this machine, and that this JVM uses.
 *
 * @param name of the realm
 * @param settings krb5.conf
 * @param keytabs the keytab of each of the {@link #principals}
 */
public record Realm(String name, Path settings, Function<String, Path> keytabs) {
  private static final String NAME_NODE = "nn/localhost";
  private static final String HTTP = "HTTP/localhost";

  /** Whom it has to know, without the realm. */
  public static List<String> principals() {
    Set<String> all = new LinkedHashSet<>(List.of(NAME_NODE, HTTP, client()));
    return List.copyOf(all);
  }

  /** The user that calls: the superuser, as without Kerberos. */
  private static String client() {
    return System.getProperty("user.name");
  }

  Subject clientTicket() throws IOException {
    return TicketLogin.ticketOf(at(client()), keytabs.apply(client()));
  }

  private String at(String principal) {
    return principal + "@" + name;
  }

  /** By which a JVM finds the KDC. */
  String jvmOption() {
    return "-Djava.security.krb5.conf=" + settings;
  }

  /** Of a NameNode with Kerberos; clients choose how calls are protected. */
  Map<String, String> serverSettings() {
    return Map.ofEntries(
        Map.entry("hadoop.security.authentication", "kerberos"),
        Map.entry("hadoop.security.authorization", "true"),
        Map.entry(
            "hadoop.security.auth_to_local",
            "RULE:[2:$1@$0](" + at("nn") + ")s/.*/" + client() + "/\nDEFAULT"),
        Map.entry("hadoop.rpc.protection", "privacy,integrity,authentication"),
        Map.entry("dfs.block.access.token.enable", "true"),
        Map.entry("dfs.namenode.kerberos.principal", at(NAME_NODE)),
        Map.entry("dfs.namenode.keytab.file", keytab(NAME_NODE)),
        Map.entry("dfs.web.authentication.kerberos.principal", at(HTTP)),
        Map.entry("dfs.web.authentication.kerberos.keytab", keytab(HTTP)),
        Map.entry("hadoop.http.authentication.type", "kerberos"),
        Map.entry("hadoop.http.authentication.kerberos.principal", at(HTTP)),
        Map.entry("hadoop.http.authentication.kerberos.keytab", keytab(HTTP)));
  }

  private String keytab(String principal) {
    return keytabs.apply(principal).toString();
  }
}
