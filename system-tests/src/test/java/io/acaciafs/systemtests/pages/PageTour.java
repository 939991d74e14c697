package io.acaciafs.systemtests.pages;

import io.acaciafs.systemtests.harness.Browser;
import java.util.List;
import java.util.Map;

/**
 * Looks at all pages of a NameNode that serves: each shows what is there.
 *
 * @param name of the pictures
 * @param shown what each page has to show, by the page's name
 */
public record PageTour(String name, Map<String, List<String>> shown) {
  /** A directory with a quota. */
  public static final String LIMITED = "/tour/limited";

  private static final int NAMES = 7;

  /** What an administrator does before a tour. */
  public static String[] preparation() {
    return new String[] {"fs -mkdir -p " + LIMITED, "dfsadmin -setQuota " + NAMES + " " + LIMITED};
  }

  /**
   * A tour after the preparation.
   *
   * @param user who did it
   * @param open a file that is being written
   * @param engine of the store
   * @param dataNodePort of a DataNode in service
   */
  public static PageTour of(
      String name, String user, String open, String engine, int dataNodePort) {
    return new PageTour(
        name,
        Map.of(
            "overview", List.of("Files and directories", "1 live, 0 dead", engine, "Last hour"),
            "history", List.of("History of the last hour", "Operations", "Heap in use"),
            "files", List.of("tour/"),
            "openfiles", List.of("Open files (1)", open, "DFSClient_", "written"),
            "quotas", List.of("Quotas (1)", LIMITED, "1 of " + NAMES),
            "datanodes", List.of("1 in service", ":" + dataNodePort),
            "users", List.of(user, "with all others"),
            "work", List.of("Blocks to be repaired", "nothing to do", "Served calls after"),
            "store", List.of(engine, "inodes"),
            "configuration", List.of("dfs.heartbeat.interval", "hdfs-site.xml")));
  }

  /**
   * Opens all pages.
   *
   * @param url of the NameNode, with a slash at its end
   * @param look at each page, by its name
   */
  public void go(Browser browser, String url, Browser.Look look) throws Exception {
    browser.passAllPages(
        url,
        page -> {
          if (!shown.containsKey(page)) {
            throw new AssertionError("no tour knows the page " + page);
          }
          shown.get(page).forEach(browser::awaitText);
          look.at(name + "-" + page);
        });
  }
}
