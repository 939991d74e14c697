package io.acaciafs.systemtests.harness;

import io.acaciafs.kv.hbase.local.FreePorts;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * The KDC of MIT Kerberos as the machine has it, on loopback, with all its files in a folder.
 * Programs have tickets as {@code kinit} leaves them. Not thread-safe.
 */
public final class MitKdc implements Kdc {
  private static final List<String> PROGRAMS =
      List.of("krb5kdc", "kdb5_util", "kadmin.local", "kinit");
  private static final Duration LIMIT = Duration.ofMinutes(1);

  private final Path folder;
  private final int port = FreePorts.next();
  private final Process process;

  /** Starts it; returns when it listens. */
  public MitKdc(Path folder) throws Exception {
    this.folder = Files.createDirectories(folder);
    Files.writeString(folder.resolve("krb5.conf"), clientSettings());
    Files.writeString(folder.resolve("kdc.conf"), serverSettings());
    run("", "kdb5_util", "create", "-s", "-r", "EXAMPLE.COM", "-P", "of-a-test");
    ProcessBuilder server =
        builder("krb5kdc", "-n", "-P", folder.resolve("pid").toString()); // no daemon
    process = server.redirectOutput(folder.resolve("kdc.out").toFile()).start();
    Await.until("the KDC listens", LIMIT, this::listens);
  }

  /** The first program that is missing; empty: there is all that it needs. */
  public static Optional<String> missing() {
    return PROGRAMS.stream().filter(program -> find(program).isEmpty()).findFirst();
  }

  private static Optional<Path> find(String program) {
    List<String> folders = new ArrayList<>(List.of(System.getenv("PATH").split(":")));
    folders.addAll(List.of("/usr/sbin", "/sbin")); // which users may lack
    return folders.stream()
        .map(each -> Path.of(each, program))
        .filter(Files::isExecutable)
        .findFirst();
  }

  private String clientSettings() {
    return """
        [libdefaults]
          default_realm = EXAMPLE.COM
          dns_lookup_realm = false
          dns_lookup_kdc = false
          dns_canonicalize_hostname = false
          rdns = false
          udp_preference_limit = 1
          forwardable = true
        [realms]
          EXAMPLE.COM = {
            kdc = 127.0.0.1:%d
          }
        [domain_realm]
          localhost = EXAMPLE.COM
        """
        .formatted(port);
  }

  private String serverSettings() {
    return """
        [kdcdefaults]
          kdc_listen = 127.0.0.1:%1$d
          kdc_tcp_listen = 127.0.0.1:%1$d
        [realms]
          EXAMPLE.COM = {
            database_name = %2$s/principal
            key_stash_file = %2$s/stash
            acl_file = %2$s/kadm5.acl
            supported_enctypes = aes256-cts-hmac-sha1-96:normal aes128-cts-hmac-sha1-96:normal
          }
        [logging]
          kdc = FILE:%2$s/kdc.log
          admin_server = FILE:%2$s/kadmin.log
        """
        .formatted(port, folder.toAbsolutePath());
  }

  private boolean listens() throws IOException {
    if (!process.isAlive()) {
      throw new AssertionError("it has ended: " + Files.readString(folder.resolve("kdc.out")));
    }
    try (Socket socket = new Socket("127.0.0.1", port)) {
      return socket.isConnected();
    } catch (IOException e) {
      return false;
    }
  }

  /** The variables by which programs of MIT Kerberos and those that use it find it. */
  public Map<String, String> environment() {
    return Map.of(
        "KRB5_CONFIG", folder.resolve("krb5.conf").toString(),
        "KRB5_KDC_PROFILE", folder.resolve("kdc.conf").toString());
  }

  private ProcessBuilder builder(String program, String... arguments) {
    List<String> command = new ArrayList<>();
    command.add(find(program).orElseThrow().toString());
    command.addAll(List.of(arguments));
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().putAll(environment());
    return builder;
  }

  /** To its end, which has to be a good one. */
  private String run(String input, String program, String... arguments) throws Exception {
    Path out = Files.createTempFile(folder, program, ".out");
    Path in = Files.writeString(Files.createTempFile(folder, program, ".in"), input);
    Process running =
        builder(program, arguments).redirectInput(in.toFile()).redirectOutput(out.toFile()).start();
    boolean ended = running.waitFor(LIMIT.toSeconds(), TimeUnit.SECONDS);
    running.destroyForcibly();
    String printed = Files.readString(out, StandardCharsets.UTF_8);
    if (!ended || running.exitValue() != 0) {
      throw new AssertionError(program + " " + List.of(arguments) + ": " + printed);
    }
    return printed;
  }

  /** Runs commands of kadmin. */
  private void administer(String... commands) throws Exception {
    run(String.join("\n", commands) + "\n", "kadmin.local", "-r", "EXAMPLE.COM");
  }

  @Override
  public void create(String... principals) throws Exception {
    Path keytab = keytab(principals[0]);
    for (String principal : principals) {
      administer("addprinc -randkey " + principal, "ktadd -k " + keytab + " " + principal);
    }
    if (!Files.exists(keytab)) {
      throw new AssertionError("no keytab of " + List.of(principals));
    }
  }

  /** A principal gets another key; its keytab has that one alone, as of now. */
  public void changeKey(String principal) throws Exception {
    Path keytab = keytab(principal);
    administer(
        "ktadd -k " + keytab + " " + principal, "ktremove -k " + keytab + " " + principal + " old");
  }

  @Override
  public Path keytab(String principal) {
    return folder.resolve(principal.replace('/', '-') + ".keytab");
  }

  @Override
  public String option() {
    return "-Djava.security.krb5.conf=" + folder.resolve("krb5.conf");
  }

  /** Takes a new one each time. */
  @Override
  public Map<String, String> ticket(String principal) throws Exception {
    Path cache = folder.resolve(principal.replace('/', '-') + ".cc");
    String keytab = keytab(principal).toString();
    run("", "kinit", "-c", "FILE:" + cache, "-kt", keytab, principal);
    return Map.of(
        "KRB5CCNAME", cache.toString(), "KRB5_CONFIG", folder.resolve("krb5.conf").toString());
  }

  @Override
  public void close() throws IOException {
    process.destroy();
    try {
      if (!process.waitFor(LIMIT.toSeconds(), TimeUnit.SECONDS)) {
        process.destroyForcibly();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while the KDC ended", e);
    }
  }
}
