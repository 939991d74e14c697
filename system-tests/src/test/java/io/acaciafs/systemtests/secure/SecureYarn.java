package io.acaciafs.systemtests.secure;

import io.acaciafs.systemtests.harness.Kdc;
import io.acaciafs.systemtests.harness.NameNodeProcess.Exit;
import io.acaciafs.systemtests.harness.SecureCluster;
import io.acaciafs.systemtests.harness.YarnServers;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;

/**
 * A ResourceManager rm/localhost, a NodeManager nm/localhost and MapReduce's history server
 * jhs/localhost in processes of their own. Jobs run as the system's user that runs the tests, so
 * their user has to have this name. Not thread-safe.
 */
final class SecureYarn implements AutoCloseable {
  private static final Duration START_LIMIT = Duration.ofMinutes(3);

  private final SecureCluster cluster;
  private final Path folder;
  private final YarnServers servers;

  /**
   * Starts all; returns when they can be reached.
   *
   * @param library the folder of Hadoop's native library
   */
  SecureYarn(SecureCluster cluster, Path library) throws Exception {
    this.cluster = cluster;
    this.folder = Files.createDirectories(cluster.folder().resolve("yarn"));
    for (String principal : List.of("rm/localhost", "nm/localhost", "jhs/localhost")) {
      cluster.kdc().create(principal);
    }
    servers =
        new YarnServers(
            folder,
            site(cluster, folder, library),
            List.of(cluster.kdc().option(), "-Djava.library.path=" + library));
    try {
      servers.start();
      for (String address :
          List.of(
              "yarn.resourcemanager.address",
              "yarn.nodemanager.address",
              "mapreduce.jobhistory.address")) {
        servers.awaitReachable(address, START_LIMIT);
      }
    } catch (Throwable e) {
      close();
      throw e;
    }
  }

  /** Runs a program of a user with a ticket, which may submit jobs, to its end. */
  Exit run(String user, Duration limit, Class<?> mainClass, String... arguments) throws Exception {
    return cluster.run(
        List.of(
            folder.resolve("resourcemanager-conf").toString(),
            Files.readString(YarnServers.CLASS_PATH)
                .strip()), // by which it shows the job its token
        cluster.kdc().ticket(user),
        limit,
        mainClass,
        arguments);
  }

  private static Configuration site(SecureCluster cluster, Path folder, Path library)
      throws IOException {
    Configuration site = cluster.configuration();
    YarnServers.describe(site, "localhost", folder);
    for (String[] server :
        new String[][] {
          {"yarn.resourcemanager", "rm"},
          {"yarn.nodemanager", "nm"},
          {"mapreduce.jobhistory", "jhs"}
        }) {
      site.set(server[0] + ".principal", server[1] + "/_HOST" + Kdc.REALM);
      site.set(server[0] + ".keytab", cluster.kdc().keytab(server[1] + "/localhost").toString());
    }
    String krb5 = cluster.kdc().option();
    Map.ofEntries(
            Map.entry("mapreduce.framework.name", "yarn"),
            // the native library that the test compiles knows of no groups
            Map.entry(
                "hadoop.security.group.mapping",
                "org.apache.hadoop.security.ShellBasedUnixGroupsMapping"),
            Map.entry("yarn.app.mapreduce.am.staging-dir", "/tmp/hadoop-yarn/staging"),
            Map.entry("yarn.nodemanager.aux-services", "mapreduce_shuffle"),
            Map.entry("yarn.log-aggregation-enable", "true"),
            Map.entry("yarn.nodemanager.remote-app-log-dir", "/tmp/logs"),
            Map.entry("yarn.nodemanager.resource.memory-mb", "1536"),
            Map.entry("yarn.nodemanager.pmem-check-enabled", "false"),
            Map.entry("yarn.app.mapreduce.am.command-opts", "-Xmx256m -XX:+UseSerialGC " + krb5),
            Map.entry("mapred.child.java.opts", "-Xmx160m -XX:+UseSerialGC " + krb5),
            Map.entry("mapreduce.admin.user.env", "LD_LIBRARY_PATH=" + library),
            Map.entry("yarn.app.mapreduce.am.admin.user.env", "LD_LIBRARY_PATH=" + library))
        .forEach(site::set);
    return site;
  }

  @Override
  public void close() throws IOException {
    servers.close();
    // containers outlive a NodeManager that is killed
    ProcessHandle.allProcesses()
        .filter(each -> each.info().commandLine().orElse("").contains(folder.toString()))
        .forEach(ProcessHandle::destroyForcibly);
  }
}
