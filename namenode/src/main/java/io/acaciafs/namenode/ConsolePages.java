package io.acaciafs.namenode;

import io.acaciafs.blocks.record.BlockReplicas;
import io.acaciafs.kv.Store;
import io.acaciafs.namenode.admin.ReconfigurationCalls;
import io.acaciafs.namenode.audit.TopUsers;
import io.acaciafs.namenode.monitor.Watched;
import io.acaciafs.namenode.monitor.console.BlockPage;
import io.acaciafs.namenode.monitor.console.ConfigurationPage;
import io.acaciafs.namenode.monitor.console.CostWindows;
import io.acaciafs.namenode.monitor.console.Jobs;
import io.acaciafs.namenode.monitor.console.OpenFilesPage;
import io.acaciafs.namenode.monitor.console.QuotasPage;
import io.acaciafs.namenode.monitor.console.UsersPage;
import io.acaciafs.namenode.monitor.console.WorkPage;
import io.acaciafs.namenode.monitor.console.WorkRates;
import io.acaciafs.namenode.process.RunningWork;
import io.acaciafs.namenode.process.Threads;
import io.acaciafs.namenode.reply.PathsOfFiles;
import io.acaciafs.namenode.settings.SettingTable;
import io.acaciafs.namenode.store.CheckedSettings;
import io.acaciafs.namespace.Namespace;
import io.acaciafs.namespace.record.NamespaceKeys;
import io.acaciafs.web.JsonPart;
import io.acaciafs.web.WebPart;
import io.acaciafs.web.WebSite;
import java.time.Clock;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** The pages for operators that only a NameNode has that leads: users, work, files, settings. */
final class ConsolePages implements WebPart, AutoCloseable {
  private static final int MOST_WAITING = 4;

  private final ExecutorService reader = Threads.pool("console-reader", 1, MOST_WAITING);
  private final UsersPage users;
  private final WorkPage work;
  private final OpenFilesPage openFiles;
  private final QuotasPage quotas;
  private final ConfigurationPage configuration;
  private final BlockPage block;

  ConsolePages(
      Watched watched,
      Monitoring monitoring,
      Namespace namespace,
      ReconfigurationCalls reconfiguration,
      RunningWork running) {
    LongSupplier elapsedMs = watched.elapsed()::millis;
    users =
        new UsersPage(
            watched.users().loads(),
            watched.users().top(),
            new CostWindows(longestWindow(watched.users().top()), elapsedMs));
    work =
        new WorkPage(
            new Jobs(watched, monitoring.figures(), namespace.reader(), monitoring.reader()).left(),
            new WorkRates(elapsedMs),
            running,
            Clock.systemUTC());
    openFiles = new OpenFilesPage(namespace, monitoring.figures());
    quotas = new QuotasPage(namespace, reader);
    Store store = watched.store().opened();
    block =
        new BlockPage(
            blockId -> fileOf(watched.blocks().inspector().inspect(blockId)),
            inodeId -> PathsOfFiles.pathOf(store, inodeId),
            inodeId -> store.get(NamespaceKeys.openFile(inodeId)) != null,
            reader);
    configuration =
        new ConfigurationPage(
            () -> new SettingTable(reconfiguration.settings(), CheckedSettings.acacias()).rows(),
            reconfiguration.properties());
  }

  private static int longestWindow(TopUsers users) {
    int longestMs = users.windowsMs().stream().mapToInt(ms -> ms).max().orElse(0);
    return (int) TimeUnit.MILLISECONDS.toMinutes(longestMs);
  }

  private static @Nullable Long fileOf(@Nullable BlockReplicas block) {
    return block == null ? null : block.fileId();
  }

  /** To be called several times a minute, so that rates and windows are right. */
  void look() {
    users.note();
    work.read();
  }

  @Override
  public void addTo(WebSite site) {
    new JsonPart("/api/users", users::read).addTo(site);
    new JsonPart("/api/work", work::read).addTo(site);
    new JsonPart("/api/openfiles", openFiles::read).addTo(site);
    new JsonPart("/api/quotas", quotas::read).addTo(site);
    new JsonPart("/api/block", block::read).addTo(site);
    new JsonPart("/api/configuration", configuration::read).addTo(site);
  }

  @Override
  public void close() {
    Threads.shutDown(reader);
  }
}
