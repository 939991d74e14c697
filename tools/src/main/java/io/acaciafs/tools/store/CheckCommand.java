package io.acaciafs.tools.store;

import io.acaciafs.namenode.check.CheckOptions;
import io.acaciafs.namenode.check.CheckReport;
import io.acaciafs.namenode.check.CheckServlet;
import io.acaciafs.namenode.store.StoreToCheck;
import io.acaciafs.tools.common.CommandFailure;
import io.acaciafs.tools.common.ConfigurationOptions;
import io.acaciafs.tools.common.Hints;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.io.Writer;
import java.net.ConnectException;
import java.net.HttpURLConnection;
import java.net.NoRouteToHostException;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.net.URL;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.util.List;
import java.util.concurrent.Callable;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.web.URLConnectionFactory;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.authentication.client.AuthenticationException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * Checks the store itself, or has its NameNode do it.
 *
 * <p>Exit codes as fsck's: 0 healthy, 1 damaged, 255 not or not wholly checked.
 */
@Command(
    name = "check",
    header = "Checks that the rows of the store agree; --repair mends what does not.",
    description =
        "Compares entries and inodes, counters, quotas, blocks and replicas. If a NameNode"
            + " has the store, the NameNode does it, and only for the superuser. Of NameNodes of"
            + " which one leads it compares the stores as well, row by row, while they serve."
            + " Prints a line for each finding. fsck asks DataNodes for the replicas of files; this"
            + " does not.",
    showDefaultValues = true)
public final class CheckCommand implements Callable<Integer> {
  private static final int EXIT_DAMAGED = 1;
  private static final int EXIT_FAILED = 255;
  private static final int CONNECT_TIMEOUT_MS = 60_000;

  /** The report has a line every few seconds, and the confirmation of a finding may take longer. */
  private static final int READ_TIMEOUT_MS = 300_000;

  @Mixin private ConfigurationOptions configuration = new ConfigurationOptions();

  @Option(
      names = {"--repair", "-repair"},
      description =
          "Mend what can be mended without a guess. What is in no directory goes to /lost+found.")
  private boolean repairs;

  @Option(
      names = "--work-percent",
      paramLabel = "N",
      description = "What part of its time it works, on one thread; the rest is left to others.")
  private int workPercent = CheckOptions.DEFAULT_WORK_PERCENT;

  @Option(
      names = "--members-only",
      description = "Only compare the stores of NameNodes of which one leads.")
  private boolean membersOnly;

  @Override
  public Integer call() {
    CheckLines lines = new CheckLines(System.out, System.err, System.console() != null);
    try {
      check(lines);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      lines.close();
      return EXIT_FAILED;
    } catch (IOException | CommandFailure | RuntimeException e) {
      lines.close();
      System.err.println("acacia: " + Hints.sentence(e));
      return EXIT_FAILED;
    }
    lines.close();
    return switch (lines.last()) {
      case CheckReport.HEALTHY -> 0;
      case CheckReport.DAMAGED -> EXIT_DAMAGED;
      case CheckReport.UNSURE, CheckReport.FAILED -> EXIT_FAILED;
      default -> {
        System.err.println(
            "acacia: The NameNode ended before its check did, or leads no more. Ask again.");
        yield EXIT_FAILED;
      }
    };
  }

  private void check(CheckLines lines) throws IOException, InterruptedException, CommandFailure {
    Configuration conf = configuration.load();
    CheckOptions options = new CheckOptions(repairs, workPercent);
    options = membersOnly ? options.ofMembersOnly() : options;
    List<URI> group = StoreToCheck.httpAddressesOfGroup(conf);
    if (askGroup(conf, group, options, lines)) {
      return;
    }
    if (membersOnly) {
      throw new CommandFailure(
          "Stores are compared while one of several NameNodes leads, and none of "
              + group
              + " does.");
    }
    try (StoreToCheck store = StoreToCheck.open(conf, repairs)) {
      if (store != null) {
        try (PrintWriter out = new PrintWriter(new LineWriter(lines))) {
          store.check(options, new CheckReport(out));
        }
        return;
      }
    } catch (AccessDeniedException e) { // a NameNode may do what this user may not
      ask(conf, options, lines, "No permission to write " + e.getFile());
      return;
    }
    ask(conf, options, lines, "The store is in use by another process");
  }

  /**
   * Asks each NameNode of a group until one leads.
   *
   * @return false where none does
   */
  private static boolean askGroup(
      Configuration conf, List<URI> group, CheckOptions options, CheckLines lines)
      throws IOException {
    for (URI server : group) {
      try {
        if (ask(conf, server, options, lines)) {
          return true;
        }
      } catch (ConnectException | NoRouteToHostException | SocketTimeoutException e) {
        System.err.println("No NameNode answers at " + server);
      }
    }
    return false;
  }

  /**
   * @param otherwise why it cannot be checked without a NameNode; for people
   */
  private static void ask(
      Configuration conf, CheckOptions options, CheckLines lines, String otherwise)
      throws IOException, CommandFailure {
    URI server = StoreToCheck.httpAddress(conf);
    try {
      if (!ask(conf, server, options, lines)) {
        throw new CommandFailure("The NameNode at " + server + " stands by, or does not check.");
      }
    } catch (ConnectException | NoRouteToHostException e) {
      throw new CommandFailure(
          otherwise + ", and no NameNode answers at " + server + " (dfs.namenode.http-address).",
          e);
    }
  }

  /**
   * @return false where the NameNode does not know the question, as one that stands by
   */
  private static boolean ask(Configuration conf, URI server, CheckOptions options, CheckLines lines)
      throws IOException {
    UserGroupInformation.setConfiguration(conf);
    String user = UserGroupInformation.getCurrentUser().getShortUserName();
    URL url =
        new URL(
            server
                + CheckServlet.PATH
                + "?ugi="
                + URLEncoder.encode(user, StandardCharsets.UTF_8)
                + '&'
                + CheckServlet.REPAIR
                + '='
                + options.repairs()
                + '&'
                + CheckServlet.WORK_PERCENT
                + '='
                + options.workPercent()
                + '&'
                + CheckServlet.MEMBERS_ONLY
                + '='
                + options.membersOnly());
    URLConnectionFactory factory =
        URLConnectionFactory.newDefaultURLConnectionFactory(
            CONNECT_TIMEOUT_MS, READ_TIMEOUT_MS, conf);
    try {
      HttpURLConnection connection =
          (HttpURLConnection) factory.openConnection(url, UserGroupInformation.isSecurityEnabled());
      connection.setRequestProperty(CheckServlet.NO_PAGE_HEADER, "acacia");
      if (connection.getResponseCode() == HttpURLConnection.HTTP_NOT_FOUND) {
        return false;
      }
      if (connection.getResponseCode() != HttpURLConnection.HTTP_OK) {
        throw new IOException(
            "The NameNode at " + server + " does not check: " + connection.getResponseMessage());
      }
      read(connection.getInputStream(), lines);
      return true;
    } catch (AuthenticationException e) {
      throw new IOException(e);
    } finally {
      factory.destroy();
    }
  }

  private static void read(InputStream stream, CheckLines lines) throws IOException {
    try (BufferedReader in =
        new BufferedReader(new InputStreamReader(stream, StandardCharsets.UTF_8))) {
      for (String line = in.readLine(); line != null; line = in.readLine()) {
        lines.show(line);
      }
    }
  }

  /** Makes lines of what is printed. */
  private static final class LineWriter extends Writer {
    private final CheckLines lines;
    private final StringBuilder line = new StringBuilder();

    private LineWriter(CheckLines lines) {
      this.lines = lines;
    }

    @Override
    public void write(char[] chars, int from, int length) {
      for (int i = from; i < from + length; i++) {
        if (chars[i] == '\n') {
          lines.show(line.toString());
          line.setLength(0);
        } else {
          line.append(chars[i]);
        }
      }
    }

    @Override
    public void flush() {}

    @Override
    public void close() {}
  }
}
