package io.acaciafs.systemtests.secure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.acaciafs.kv.testkit.disk.PreloadedLibrary;
import io.acaciafs.systemtests.harness.HadoopKdc;
import io.acaciafs.systemtests.harness.Kdc;
import io.acaciafs.systemtests.harness.NameNodeProcess.Exit;
import io.acaciafs.systemtests.harness.SecureCluster;
import io.acaciafs.systemtests.harness.SecureCluster.Answer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.hadoop.examples.terasort.TeraGen;
import org.apache.hadoop.examples.terasort.TeraSort;
import org.apache.hadoop.examples.terasort.TeraValidate;
import org.apache.hadoop.tools.DistCp;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Jobs on a real YARN with Kerberos: their tasks have delegation tokens alone, which the
 * ResourceManager renews. MapReduce does not shuffle with Kerberos without Hadoop's native library,
 * of which the test compiles what is needed.
 */
@Tag("long")
class SecureYarnTest {
  private static final String USER = System.getProperty("user.name");
  private static final Path JNI = Path.of(System.getProperty("java.home"), "include");
  private static final int ROWS = 250_000;
  private static final Duration JOB_LIMIT = Duration.ofMinutes(8);

  /** The ResourceManager renews a tenth earlier. */
  private static final String RENEW_MS = "15000";

  private static final Pattern TOKEN =
      Pattern.compile("cmd=renewDelegationToken\tsrc=HDFS_DELEGATION_TOKEN token ([0-9]+) ");

  /** As the ResourceManager writes down whose token it renews. */
  private static final Pattern KEY =
      Pattern.compile("sequenceNumber=([0-9]+), masterKeyId=([0-9]+)");

  @ParameterizedTest
  @ValueSource(strings = {"privacy", "authentication"})
  void sortsWhileItsTokensAreRenewed(String protection) throws Exception {
    sort(HadoopKdc::new, protection);
  }

  static void sort(Kdc.Starter starter, String protection) throws Exception {
    assumeThat(PreloadedLibrary.isPossible()).as("a C compiler").isTrue();
    assumeThat(JNI.resolve("jni.h")).as("a JDK with the headers of JNI").exists();
    Map<String, String> settings =
        Map.of(
            "dfs.blocksize", "1048576",
            "dfs.replication", "1",
            "dfs.namenode.delegation.token.renew-interval", RENEW_MS,
            "dfs.namenode.delegation.key.update-interval", "10000",
            "dfs.block.access.key.update.interval", "1",
            "dfs.block.access.token.lifetime", "1",
            "hadoop.user.group.static.mapping.overrides", "jhs=hadoop;" + USER + "=users;hdfs=");
    try (SecureCluster cluster =
        SecureCluster.start(starter, "secure-yarn", protection, 1, settings)) {
      cluster.kdc().create(USER);
      prepare(cluster);
      try (SecureYarn yarn = new SecureYarn(cluster, library(cluster.folder()))) {
        run(yarn, TeraGen.class, Integer.toString(ROWS), "/tera/in");
        int before = cluster.audit().size();
        run(yarn, TeraSort.class, "/tera/in", "/tera/out");
        List<String> meanwhile = cluster.audit().subList(before, cluster.audit().size());
        run(yarn, TeraValidate.class, "/tera/out", "/tera/report");
        run(yarn, DistCp.class, "/tera/out", "/tera/copy");
        assertRenewed(meanwhile);
        assertKeysRolled(cluster.folder().resolve("yarn/resourcemanager.log"));
      }
      List<Answer> after =
          cluster.as(
              "hdfs",
              "fs -count /tera/out/part-r-00000",
              "fs -count /tera/copy/part-r-00000",
              "fs -ls -R /tmp/logs");
      SecureProgramsTest.assertDone(after);
      assertThat(after.subList(0, 2))
          .allSatisfy(each -> assertThat(each.text()).contains(Long.toString(ROWS * 100L)));
      assertThat(after.get(2).text()).contains("/application_");
    }
  }

  private static Path library(Path scratch) throws Exception {
    Path compiled =
        PreloadedLibrary.compile("native-io", scratch, List.of("-I" + JNI, "-I" + JNI + "/linux"));
    Path folder = Files.createDirectory(scratch.resolve("native"));
    Files.copy(compiled, folder.resolve("libhadoop.so"));
    return folder;
  }

  /** What Hadoop's guide to secure mode has an administrator make. */
  private static void prepare(SecureCluster cluster) throws Exception {
    SecureProgramsTest.assertDone(
        cluster.as(
            "hdfs",
            "fs -mkdir -p /tmp/hadoop-yarn/staging/history/done_intermediate"
                + " /tmp/hadoop-yarn/staging/history/done /tmp/logs /tera /user/"
                + USER,
            "fs -chown -R jhs:hadoop /tmp/hadoop-yarn/staging/history",
            "fs -chown nm:hadoop /tmp/logs",
            "fs -chown " + USER + " /tera /user/" + USER,
            "fs -chmod 1777 /tmp /tmp/logs /tmp/hadoop-yarn/staging"
                + " /tmp/hadoop-yarn/staging/history/done_intermediate"));
  }

  private static void run(SecureYarn yarn, Class<?> program, String... arguments) throws Exception {
    Exit exit = yarn.run(USER, JOB_LIMIT, program, arguments);
    assertThat(exit.code()).as("%s: %s", program.getSimpleName(), exit.output()).isZero();
  }

  /** By the ResourceManager; and tasks showed tokens. */
  private static void assertRenewed(List<String> audit) {
    Map<String, Long> renewals =
        audit.stream()
            .filter(line -> line.contains("allowed=true\tugi=rm/localhost@EXAMPLE.COM"))
            .map(TOKEN::matcher)
            .filter(Matcher::find)
            .collect(Collectors.groupingBy(match -> match.group(1), Collectors.counting()));
    assertThat(renewals.values()).anyMatch(count -> count > 3); // the first one is at once
    assertThat(audit)
        .anyMatch(
            line ->
                line.contains("ugi=" + USER + "@EXAMPLE.COM (auth:TOKEN)")
                    && line.contains("cmd=open\tsrc=/tera/in/"));
  }

  /** Of the jobs' tokens the second is that of the sort, and the third was made after it. */
  private static void assertKeysRolled(Path log) throws Exception {
    Map<Integer, Integer> keys = new TreeMap<>(); // by the numbers of the tokens
    Matcher match = KEY.matcher(Files.readString(log));
    while (match.find()) {
      keys.put(Integer.valueOf(match.group(1)), Integer.valueOf(match.group(2)));
    }
    List<Integer> inTurn = List.copyOf(keys.values());
    assertThat(inTurn).hasSizeGreaterThan(2);
    assertThat(inTurn.get(2) - inTurn.get(1)).as("rolls of %s", keys).isGreaterThan(2);
  }
}
