package io.acaciafs.namespace.model;

import io.acaciafs.kv.Store;
import io.acaciafs.kv.StoreException;
import io.acaciafs.namespace.Namespace;
import io.acaciafs.namespace.background.BackgroundWork;
import io.acaciafs.namespace.op.directory.GetListing;
import io.acaciafs.namespace.op.quota.GetContentSummary;
import io.acaciafs.namespace.op.quota.GetQuotaUsage;
import io.acaciafs.namespace.record.FileBlock;
import io.acaciafs.namespace.record.FileInode;
import io.acaciafs.namespace.settings.AclSettings;
import io.acaciafs.namespace.settings.DirectorySettings;
import io.acaciafs.namespace.settings.FeatureSettings;
import io.acaciafs.namespace.settings.NamespaceSettings;
import io.acaciafs.namespace.settings.StoragePolicyAccess;
import io.acaciafs.namespace.settings.XAttrSettings;
import io.acaciafs.namespace.testkit.FakeBlocks;
import io.acaciafs.namespace.testkit.ManualClock;
import io.acaciafs.namespace.testkit.NamespaceFixture;
import io.acaciafs.namespace.tree.InodeStatus;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/**
 * A random history, step by step on the namespace and on the model. Whatever differs ends it with
 * the seed and the last steps in the message.
 */
final class ModelHistory implements AutoCloseable {
  private static final int STEPS_TOLD = 40;
  private static final int STEPS_BETWEEN_COMPARISONS = 250;

  private static final NamespaceSettings SETTINGS =
      NamespaceFixture.settings(Model.LIST_LIMIT, 0)
          .with(
              new FeatureSettings(
                  new AclSettings(true, true),
                  new XAttrSettings(true, Model.MAX_XATTRS, Model.MAX_XATTR_SIZE),
                  new StoragePolicyAccess(true, false),
                  true,
                  false,
                  FeatureSettings.DEFAULTS.storagePolicies(),
                  Model.OPEN_FILES_LIMIT));

  private final NamespaceSettings settings;
  private final long seed;
  private final Random random;
  private final ManualClock clock = new ManualClock();
  private final UnaryOperator<Store> reopen;
  private final NamespaceFixture fixture;
  private final Deque<String> lastSteps = new ArrayDeque<>();
  private final List<Long> ids = new ArrayList<>();
  private final Set<String> met = new TreeSet<>();
  private Model model;
  private int uncertain;

  /**
   * @param reopen the store after a crash
   */
  ModelHistory(long seed, Store store, UnaryOperator<Store> reopen) {
    this(seed, store, reopen, DirectorySettings.DEFAULTS);
  }

  /**
   * @param directories how they grow, of which a user sees nothing
   */
  ModelHistory(long seed, Store store, UnaryOperator<Store> reopen, DirectorySettings directories) {
    this.settings = SETTINGS.with(directories);
    this.seed = seed;
    this.random = new Random(seed);
    this.reopen = reopen;
    this.fixture = formatted(store);
    this.model = new Model(clock.millis());
  }

  private NamespaceFixture formatted(Store store) {
    Store current = store;
    while (true) {
      try {
        return new NamespaceFixture(current, settings, clock);
      } catch (StoreException e) { // a fault met the format; it does no harm to do it again
        current = isDead(current) ? reopen.apply(current) : current;
      }
    }
  }

  /** How many steps ended without an answer. */
  int uncertain() {
    return uncertain;
  }

  /** Names of operations that succeeded, and with the exceptions that they met. */
  Set<String> met() {
    return met;
  }

  /**
   * @param crashEvery a crash between steps about every so many; 0: none
   * @param exactIndexRows whether no index row may stay behind
   */
  void run(int steps, int crashEvery, boolean exactIndexRows) throws IOException {
    for (int i = 1; i <= steps; i++) {
      step();
      if (crashEvery > 0 && random.nextInt(crashEvery) == 0) {
        tell("crash");
        restart();
      }
      if (random.nextInt(20) == 0) {
        sweepSome();
      }
      if (settings.directories().splitThreshold() > 0 && random.nextInt(2) == 0) {
        splitSome();
      }
      if (i % STEPS_BETWEEN_COMPARISONS == 0 || i == steps) {
        String difference = compare(model);
        if (difference != null) {
          throw failure(difference);
        }
        compareSummaries();
      }
    }
    end(exactIndexRows);
  }

  private void step() throws IOException {
    advanceClock();
    Step step = new Steps(new Draws(random, model, ids)).next();
    tell(step.text());
    String actual;
    try {
      actual = step.real().run(fixture);
    } catch (StoreException e) {
      tell("  -> not known");
      follow(step);
      return;
    } catch (IOException | RuntimeException e) {
      actual = e.getClass().getName();
    }
    Step.Expected expected = step.expected(model);
    tell("  -> " + actual);
    if (!expected.answer().equals(actual)) {
      throw failure("expected: " + expected.answer() + "\n but was: " + actual);
    }
    model = expected.after();
    met.add(step.name() + (actual.endsWith("Exception") ? " " + actual : ""));
    if (actual.equals("new") || actual.equals("created")) {
      adoptIds();
    }
  }

  private void advanceClock() {
    int drawn = random.nextInt(200);
    clock.advanceMs(drawn == 0 ? 4_000_000 : drawn < 4 ? 61_000 : random.nextInt(50));
    model.nowMs = clock.millis();
    if (random.nextInt(50) == 0) {
      fixture.namespace().leases().renew("client_1");
      model.renew("client_1");
    }
  }

  /** After a lost answer the step has happened or not; goes on with whatever the store shows. */
  private void follow(Step step) throws IOException {
    uncertain++;
    Model after = step.expected(model).after();
    if (isDead(fixture.store())) {
      tell("  -> crashed");
      fixture.open(reopen.apply(fixture.store()));
      model.restart();
      after.restart();
    } else {
      // whether leases were renewed cannot be seen
      for (String client : List.of("client_1", "client_2", Model.NAMENODE_HOLDER)) {
        fixture.namespace().leases().renew(client);
        model.renew(client);
        after.renew(client);
      }
    }
    String notBefore = compare(model);
    if (notBefore == null) {
      return;
    }
    String notAfter = compare(after);
    if (notAfter != null) {
      throw failure("Neither before: " + notBefore + "\n nor after: " + notAfter);
    }
    model = after;
  }

  private static boolean isDead(Store store) {
    try {
      store.traits();
      return false;
    } catch (StoreException e) {
      return true;
    }
  }

  private void restart() {
    fixture.open(reopen.apply(fixture.store()));
    model.restart();
  }

  private void sweepSome() {
    inBackground(BackgroundWork::sweepOnce);
  }

  private void splitSome() {
    inBackground(BackgroundWork::splitOnce);
  }

  private void inBackground(Consumer<Namespace> work) {
    try {
      work.accept(fixture.namespace());
    } catch (StoreException e) {
      tell("background -> not known");
      if (isDead(fixture.store())) {
        restart();
      }
    }
  }

  private void adoptIds() throws IOException {
    for (Node node : model.root.all()) {
      boolean unknown = node.id == 0 || node.blocks.stream().anyMatch(block -> block.id == 0);
      if (unknown) {
        InodeStatus status = fixture.info(node.path());
        adopt(node, status);
      }
    }
  }

  private static void adopt(Node node, InodeStatus status) {
    if (status == null) {
      return; // the next comparison tells
    }
    node.id = status.inode().id();
    if (status.inode() instanceof FileInode file && file.blocks().size() == node.blocks.size()) {
      for (int i = 0; i < node.blocks.size(); i++) {
        node.blocks.get(i).id = file.blocks().get(i).id();
      }
    }
  }

  // ---- the whole tree

  /**
   * Null where the store shows what the model says; then ids that were not known are taken over.
   */
  private String compare(Model candidate) throws IOException {
    Map<Node, InodeStatus> pairs = new HashMap<>();
    String difference = compare(candidate.root, fixture.info("/"), pairs);
    if (difference == null) {
      pairs.forEach(ModelHistory::adopt);
      pairs.keySet().stream()
          .map(node -> node.id)
          .filter(id -> !ids.contains(id))
          .forEach(ids::add);
    }
    return difference;
  }

  private String compare(Node node, InodeStatus status, Map<Node, InodeStatus> pairs)
      throws IOException {
    String expected = ModelReading.describe(node, "") + blocksOf(node, status);
    InodeStatus unnamed =
        new InodeStatus(
            new byte[0], status.inode(), status.modificationTimeMs(), status.children());
    String actual = Rendering.describe(unnamed) + blocksOf(status);
    if (!expected.equals(actual) || (node.id != 0 && node.id != status.inode().id())) {
      return node.path()
          + "\n expected: "
          + expected
          + " "
          + node.id
          + "\n but was: "
          + actual
          + " "
          + status.inode().id();
    }
    pairs.put(node, status);
    if (!node.directory) {
      return null;
    }
    List<String> names = node.children.keySet().stream().sorted(Model.BY_SIGNED_BYTES).toList();
    List<InodeStatus> entries = entries(node.path());
    if (!names.equals(entries.stream().map(ModelHistory::nameOf).toList())) {
      return node.path()
          + "\n expected: "
          + names
          + "\n but was: "
          + entries.stream().map(ModelHistory::nameOf).toList();
    }
    for (InodeStatus entry : entries) {
      String difference = compare(node.children.get(nameOf(entry)), entry, pairs);
      if (difference != null) {
        return difference;
      }
    }
    return null;
  }

  private static String nameOf(InodeStatus entry) {
    return new String(entry.localName(), StandardCharsets.UTF_8);
  }

  private String blocksOf(InodeStatus status) {
    StringBuilder text = new StringBuilder();
    if (status.inode() instanceof FileInode file) {
      for (FileBlock block : file.blocks()) {
        text.append(' ').append(block.id()).append(':').append(block.lengthBytes());
        text.append(' ').append(FakeBlocks.describe(fixture.store(), block.id()));
      }
    }
    return text.toString();
  }

  /** Blocks whose id is not known yet are taken to be those that are there. */
  private static String blocksOf(Node node, InodeStatus status) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < node.blocks.size(); i++) {
      ModelBlock block = node.blocks.get(i);
      long id = block.id;
      if (id == 0 && status.inode() instanceof FileInode file && i < file.blocks().size()) {
        id = file.blocks().get(i).id();
      }
      text.append(' ').append(id).append(':').append(block.length);
      text.append(' ').append(block.describe());
    }
    return text.toString();
  }

  private List<InodeStatus> entries(String path) throws IOException {
    List<InodeStatus> entries = new ArrayList<>();
    byte[] last = new byte[0];
    GetListing.Page page;
    do {
      page = fixture.run(new GetListing(path, last, false));
      entries.addAll(page.entries());
      if (!page.entries().isEmpty()) {
        last = page.entries().get(page.entries().size() - 1).localName();
      }
    } while (page.hasMore());
    return entries;
  }

  private void compareSummaries() throws IOException {
    Model.User superuser = new Model.User("hdfs", true, Set.of());
    for (Node node : model.root.all()) {
      if (random.nextInt(10) == 0 || node == model.root) {
        String expected = model.reading().summary(superuser, node.path());
        String actual = Rendering.describe(fixture.run(new GetContentSummary(node.path())));
        if (!expected.equals(actual)) {
          throw failure("Summary of " + node.path() + ": " + expected + " but was " + actual);
        }
      }
      if (!node.quotas.isEmpty()) {
        String expected = ModelReading.quotaUsage(node);
        String actual =
            Rendering.describe(
                fixture.info(node.path()).inode().features().quota(),
                fixture.run(new GetQuotaUsage(node.path())));
        if (!expected.equals(actual)) {
          throw failure("Quota of " + node.path() + ": " + expected + " but was " + actual);
        }
      }
    }
  }

  /** When all is swept, only the rows of what is left are there. */
  private void end(boolean exactIndexRows) {
    boolean more = true;
    while (more) {
      try {
        more = BackgroundWork.sweepOnce(fixture.namespace());
      } catch (StoreException e) {
        if (isDead(fixture.store())) {
          restart();
        }
      }
    }
    List<String> damage = fixture.damage(exactIndexRows);
    if (!damage.isEmpty()) {
      throw failure(damage.toString());
    }
    Set<Long> blocks = new TreeSet<>();
    for (Node node : model.root.all()) {
      node.blocks.forEach(block -> blocks.add(block.id));
    }
    Set<Long> rows = FakeBlocks.ids(fixture.store());
    if (!rows.equals(blocks)) {
      throw failure("Blocks " + blocks + " but was " + rows);
    }
  }

  private void tell(String text) {
    lastSteps.addLast(text);
    if (lastSteps.size() > STEPS_TOLD) {
      lastSteps.removeFirst();
    }
  }

  private AssertionError failure(String what) {
    return new AssertionError(
        "-Dacacia.model.seed=" + seed + "\n" + String.join("\n", lastSteps) + "\n" + what);
  }

  @Override
  public void close() {
    fixture.close();
  }
}
