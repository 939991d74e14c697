package io.acaciafs.namenode.check;

import io.acaciafs.kv.Store;
import io.acaciafs.kv.StoreException;
import io.acaciafs.namenode.process.RunningWork;
import io.acaciafs.namenode.webuser.WebUsers;
import io.acaciafs.namespace.settings.StoragePolicies;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.concurrent.Semaphore;
import java.util.function.Predicate;
import javax.servlet.http.HttpServlet;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.http.RestCsrfPreventionFilter;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Answers {@code /check}, which {@code acacia check} asks while the NameNode has the store to
 * itself. For the superuser; one at a time. The report is streamed; a check runs on the request's
 * thread, and ends when its reader is gone. Safe for use by many threads.
 */
public final class CheckServlet extends HttpServlet {
  public static final String PATH = "/check";

  /** Parameters of the request. */
  public static final String REPAIR = "repair";

  public static final String WORK_PERCENT = "work-percent";

  public static final String MEMBERS_ONLY = "members-only";

  /**
   * Has to be there for a repair, with any value: the header by which Hadoop keeps pages of others,
   * open in the superuser's browser, from making it send what it should not.
   */
  public static final String NO_PAGE_HEADER = RestCsrfPreventionFilter.HEADER_DEFAULT;

  private static final long serialVersionUID = 1;
  private static final Logger LOG = LoggerFactory.getLogger(CheckServlet.class);

  private final transient WebUsers users;
  private final transient Store store;
  private final transient StoragePolicies policies;
  private final transient Comparison comparison;
  private final transient RunningWork running;
  private final transient Predicate<UserGroupInformation> isSuperuser;
  private final transient Semaphore checks = new Semaphore(1);

  /**
   * @param comparison {@link Comparison#NONE} for a NameNode of no group
   */
  public CheckServlet(
      WebUsers users,
      Store store,
      StoragePolicies policies,
      Comparison comparison,
      RunningWork running,
      Predicate<UserGroupInformation> isSuperuser) {
    this.users = users;
    this.store = store;
    this.policies = policies;
    this.comparison = comparison;
    this.running = running;
    this.isSuperuser = isSuperuser;
  }

  @Override
  public void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
    UserGroupInformation user = users.ofOrRefuse(request, response);
    if (user == null) {
      return;
    }
    response.setContentType("text/plain; charset=UTF-8");
    if (!isSuperuser.test(user)) {
      response.sendError(
          HttpServletResponse.SC_FORBIDDEN,
          "Access denied for user "
              + user.getShortUserName()
              + ". Superuser privilege is required");
      return;
    }
    CheckOptions options;
    try {
      options = options(request);
    } catch (IllegalArgumentException e) {
      response.sendError(HttpServletResponse.SC_BAD_REQUEST, e.getMessage());
      return;
    }
    if (options.repairs() && request.getHeader(NO_PAGE_HEADER) == null) {
      response.sendError(
          HttpServletResponse.SC_FORBIDDEN, "A repair wants the header " + NO_PAGE_HEADER);
      return;
    }
    if (!checks.tryAcquire()) {
      response.sendError(HttpServletResponse.SC_CONFLICT, "Another check is under way");
      return;
    }
    RunningWork.Handle handle =
        running.begin("Check of the store", "for " + user.getShortUserName());
    try (PrintWriter out = response.getWriter()) {
      LOG.info("Check begins user={} options={}", user, options);
      run(options, new CheckReport(new LivePrinter(out), handle::report));
      LOG.info("Check ended user={}", user);
    } finally {
      handle.close();
      checks.release();
    }
  }

  private static CheckOptions options(HttpServletRequest request) {
    String percent = request.getParameter(WORK_PERCENT);
    CheckOptions options =
        new CheckOptions(
            Boolean.parseBoolean(request.getParameter(REPAIR)),
            percent == null ? CheckOptions.DEFAULT_WORK_PERCENT : Integer.parseInt(percent));
    return Boolean.parseBoolean(request.getParameter(MEMBERS_ONLY))
        ? options.ofMembersOnly()
        : options;
  }

  private void run(CheckOptions options, CheckReport report) {
    try {
      StoreCheck.run(store, policies, options, comparison, report);
    } catch (StoreException | IOException e) {
      LOG.warn("Check failed", e);
      report.failed(e.getMessage());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      report.failed("The NameNode stops");
    } catch (LivePrinter.UnreadException e) {
      LOG.info("Check ends, as nobody reads its report any more");
    }
  }

  /** Notices when the reader is gone. */
  private static final class LivePrinter extends PrintWriter {
    private static final class UnreadException extends RuntimeException {
      private static final long serialVersionUID = 1;
    }

    private final PrintWriter target;

    private LivePrinter(PrintWriter target) {
      super(target);
      this.target = target;
    }

    @Override
    public void flush() {
      super.flush();
      if (target.checkError()) {
        throw new UnreadException();
      }
    }
  }
}
