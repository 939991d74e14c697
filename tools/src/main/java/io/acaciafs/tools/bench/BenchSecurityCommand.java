package io.acaciafs.tools.bench;

import io.acaciafs.bench.compare.Plan;
import io.acaciafs.bench.security.Realm;
import io.acaciafs.bench.security.SecurityComparison;
import io.acaciafs.bench.security.SecurityReport;
import io.acaciafs.tools.local.LocalKdc;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** What Kerberos costs Acacia and Hadoop's NameNode, measured in turn on this machine. */
@Command(
    name = "security",
    header = "Measures what Kerberos, tokens, signing and encryption cost both NameNodes.",
    description =
        "Starts a KDC in this process, and Hadoop's NameNode and Acacia's without Kerberos and with"
            + " it. Measures a stat, and connections that are opened for one stat each.",
    showDefaultValues = true)
final class BenchSecurityCommand implements Callable<Integer> {

  @Option(names = "--quick", description = "Ends within a quarter of an hour.")
  private boolean quick;

  @Option(names = "--json", paramLabel = "FILE", description = "Write the figures there as JSON.")
  private @Nullable Path json;

  @Mixin private BenchRun run = new BenchRun();

  @Option(
      names = "--jvm",
      paramLabel = "OPTION",
      arity = "1",
      description = "Option of the NameNodes' JVMs; may be repeated.")
  private List<String> jvmOptions = List.of("-Xms1g", "-Xmx1g");

  @Override
  public Integer call() throws Exception {
    Plan plan = quick ? SecurityComparison.quick() : Plan.thorough();
    return run.run(
        (folder, machine, steps) -> {
          Path keys = Files.createDirectory(folder.resolve("kdc"));
          try (LocalKdc kdc = LocalKdc.start(keys, Realm.principals());
              SecurityComparison comparison =
                  SecurityComparison.start(
                      plan,
                      folder,
                      jvmOptions,
                      new Realm(LocalKdc.REALM, kdc.krb5Conf(), kdc::keytab),
                      steps,
                      BenchRun.log(steps))) {
            SecurityReport report = comparison.run(machine);
            BenchRun.print(report.table());
            if (json != null) {
              Files.writeString(json, report.json());
            }
            run.writePage(report::writeTo);
            comparison.failures().forEach(failure -> System.err.println("failed: " + failure));
            return comparison.failures().isEmpty() ? 0 : 1;
          }
        });
  }
}
