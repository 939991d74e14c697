package io.acaciafs.namenode;

import static org.assertj.core.api.Assertions.assertThat;

import io.acaciafs.kv.Row;
import io.acaciafs.kv.Scan;
import io.acaciafs.kv.engine.EngineStore;
import io.acaciafs.kv.testkit.SecretForms;
import io.acaciafs.namenode.backup.Backup;
import io.acaciafs.namenode.settings.Settings;
import io.acaciafs.namenode.store.NameDirectory;
import io.acaciafs.namenode.store.StoreEngine;
import io.acaciafs.namespace.token.MasterKeyRow;
import io.acaciafs.namespace.token.TokenKeys;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.security.PrivilegedExceptionAction;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import javax.security.auth.kerberos.KerberosPrincipal;
import javax.security.auth.kerberos.KeyTab;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.NameNodeProxies;
import org.apache.hadoop.hdfs.security.token.block.BlockKey;
import org.apache.hadoop.hdfs.security.token.block.DataEncryptionKey;
import org.apache.hadoop.hdfs.server.protocol.NamenodeProtocol;
import org.apache.hadoop.ipc.RPC;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.authentication.client.AuthenticatedURL;
import org.apache.hadoop.security.token.Token;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A NameNode with Kerberos, and all that is secret in it: none of it is told by a log, at the level
 * DEBUG too, or by HTTP, to the superuser neither; and others read no file of its store.
 */
@Timeout(300)
class SecretsTest {
  private static final String KEYSTORE_PASSWORD = "opensesame";
  private static final String COOKIE_SECRET = "the-secret-of-cookies";
  private static final org.apache.hadoop.fs.Path ROOT = new org.apache.hadoop.fs.Path("/");

  @TempDir File folder;
  private final Map<String, byte[]> secrets = new LinkedHashMap<>();
  private final Map<String, String> pages = new LinkedHashMap<>();
  private ClassLoader loader;
  private TestKdc kdc;
  private Configuration conf;
  private UserGroupInformation superuser;

  @BeforeEach
  void prepare() throws Exception {
    kdc = new TestKdc(folder.toPath(), "nn/localhost", "HTTP/localhost", "alice", "bob");
    loader = Thread.currentThread().getContextClassLoader();
    Thread.currentThread()
        .setContextClassLoader(
            new URLClassLoader(new URL[] {folder.toURI().toURL()}, loader)); // ssl-*.xml
    SelfSigned.write(folder.toPath(), KEYSTORE_PASSWORD);
    conf = kdc.siteOfOne();
    conf.set(
        "hadoop.security.auth_to_local",
        "RULE:[2:$1@$0](nn@EXAMPLE.COM)s/.*/hdfs/\nRULE:[1:$1@$0](.*@EXAMPLE.COM)s/@.*//");
    conf.set("hadoop.user.group.static.mapping.overrides", "alice=;bob=;hdfs=");
    conf.set("dfs.web.authentication.kerberos.principal", "HTTP/_HOST" + TestKdc.REALM);
    conf.set("dfs.web.authentication.kerberos.keytab", kdc.keytab("HTTP/localhost").toString());
    Path secret = folder.toPath().resolve("cookies.secret");
    Files.writeString(secret, COOKIE_SECRET);
    conf.set("hadoop.http.authentication.signature.secret.file", secret.toString());
    conf.set("dfs.http.policy", "HTTP_AND_HTTPS");
    conf.set("dfs.namenode.https-address", "localhost:0");
    conf.set("dfs.https.server.keystore.resource", SelfSigned.SERVER);
    conf.setBoolean("dfs.encrypt.data.transfer", true);
    conf.setBoolean("dfs.namenode.audit.log.token.tracking.id", true);
    conf.setBoolean("hadoop.prometheus.endpoint.enabled", true);
    System.setProperty(
        "hadoop.log.dir", Files.createDirectory(folder.toPath().resolve("logs")).toString());
    TestKdc.use(conf);
    secrets.put("the keystore's password", KEYSTORE_PASSWORD.getBytes(StandardCharsets.UTF_8));
    secrets.put("the secret of cookies", COOKIE_SECRET.getBytes(StandardCharsets.UTF_8));
    for (String principal : new String[] {"nn/localhost", "HTTP/localhost"}) {
      KeyTab keytab = KeyTab.getUnboundInstance(kdc.keytab(principal));
      int count = 0;
      for (var key : keytab.getKeys(new KerberosPrincipal(principal + TestKdc.REALM))) {
        secrets.put("key " + ++count + " of " + principal, key.getEncoded());
      }
    }
  }

  @AfterEach
  void end() throws Exception {
    System.clearProperty("hadoop.log.dir"); // none has it before
    Thread.currentThread().setContextClassLoader(loader);
    kdc.close();
  }

  private DistributedFileSystem fileSystem(NameNode nameNode, UserGroupInformation user)
      throws Exception {
    return TestKdc.fileSystem(user, conf, "hdfs://localhost:" + nameNode.rpcAddress().getPort());
  }

  private static UserGroupInformation holder(Token<?> token) {
    UserGroupInformation holder = UserGroupInformation.createRemoteUser("whoever");
    holder.addToken(token);
    return holder;
  }

  @Test
  void nothingTellsThem() throws Exception {
    try (LoggedLines all = LoggedLines.ofAll()) {
      NameNode.format(conf, "CID-test", false);
      try (NameNode nameNode = NameNode.start(conf)) {
        superuser = UserGroupInformation.getLoginUser();
        useTokens(nameNode);
        readKeys(nameNode);
        readPages(nameNode, true, "");
        assertOwnersAlone(NameDirectory.of(conf).folder());
      }
      readMasterKeys();
      assertThat(secrets).hasSizeGreaterThan(10);
      pages.put("the logs", String.join("\n", all.lines()));
    }
    assertThat(pages.get("the logs"))
        .contains("Auth successful for", "cmd=getDelegationToken", "cmd=renewDelegationToken");
    assertThat(pages).hasSizeGreaterThan(10);
    pages.forEach((page, text) -> secrets.forEach((what, secret) -> assertNot(page, text, what)));
  }

  /** The one that leads and those that stand by, with their certificates. */
  @Test
  void nothingTellsThoseOfThree() throws Exception {
    try (LoggedLines all = LoggedLines.ofAll()) {
      try (KerberosTrio trio =
          KerberosTrio.start(folder.toPath().resolve("trio"), kdc, this::configureThree)) {
        superuser = UserGroupInformation.getLoginUser();
        String leader = trio.awaitLeader();
        conf = trio.sites.get(leader);
        for (String id : KerberosTrio.IDS) {
          String pem =
              Files.readString(Path.of(trio.sites.get(id).get("acacia.store.raft.tls.key.file")));
          secrets.put(
              "TLS key of " + id,
              Base64.getMimeDecoder().decode(pem.replaceAll("-----[A-Z ]+-----", "")));
        }
        useTokens(trio.nameNodes.get(leader));
        readKeys(trio.nameNodes.get(leader));
        for (String id : KerberosTrio.IDS) {
          readPages(trio.nameNodes.get(id), id.equals(leader), " of " + id);
          assertOwnersAlone(folder.toPath().resolve("trio").resolve(id));
        }
        restore(trio, leader);
      }
      readMasterKeys();
      assertThat(secrets).hasSizeGreaterThan(10);
      pages.put("the logs", String.join("\n", all.lines()));
    }
    assertThat(pages.get("the logs"))
        .contains("Auth successful for", "cmd=getDelegationToken", "cmd=renewDelegationToken");
    pages.forEach((page, text) -> secrets.forEach((what, secret) -> assertNot(page, text, what)));
  }

  /** A backup, as a member's own files may lack what is in the log of all. */
  private void restore(KerberosTrio trio, String id) throws Exception {
    Path backup = folder.toPath().resolve("backup");
    trio.backUp(trio.superuser(), id, backup);
    Configuration restored = new Configuration(trio.sites.get(id));
    restored.set("dfs.namenode.name.dir.trio." + id, backup.resolveSibling("restored").toString());
    Backup.restore(restored, backup);
    conf = Settings.ofThisNameNode(restored);
  }

  private void configureThree(Configuration all) {
    for (String setting :
        new String[] {
          "hadoop.security.auth_to_local",
          "hadoop.user.group.static.mapping.overrides",
          "dfs.web.authentication.kerberos.principal",
          "dfs.web.authentication.kerberos.keytab",
          "hadoop.http.authentication.signature.secret.file",
          "dfs.http.policy",
          "dfs.namenode.https-address",
          "dfs.https.server.keystore.resource",
          "dfs.encrypt.data.transfer",
          "dfs.namenode.audit.log.token.tracking.id",
          "hadoop.prometheus.endpoint.enabled"
        }) {
      all.set(setting, conf.get(setting));
    }
  }

  /** Keys are in the store: nobody else reads a file of it, by its mode or by that of a folder. */
  private static void assertOwnersAlone(Path names) throws IOException {
    assertThat(filesBelow(names))
        .isNotEmpty()
        .filteredOn(file -> !file.endsWith("in_use.lock")) // which tells nothing
        .allMatch(
            file -> {
              Path open = file;
              while (isOpen(open) && !open.equals(names)) {
                open = Objects.requireNonNull(open.getParent());
              }
              return !isOpen(open);
            });
  }

  /** Without what the store removes meanwhile. */
  private static List<Path> filesBelow(Path names) throws IOException {
    List<Path> all = new ArrayList<>();
    Files.walkFileTree(
        names,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
            all.add(file);
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFileFailed(Path file, IOException failure)
              throws IOException {
            if (failure instanceof NoSuchFileException) {
              return FileVisitResult.CONTINUE;
            }
            throw failure;
          }
        });
    return all;
  }

  private static boolean isOpen(Path path) {
    try {
      return Files.getPosixFilePermissions(path).stream()
          .anyMatch(permission -> !permission.name().startsWith("OWNER_"));
    } catch (NoSuchFileException e) {
      return false; // the store has removed it
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void assertNot(String page, String text, String what) {
    assertThat(new SecretForms(Objects.requireNonNull(secrets.get(what))).in(text))
        .as("%s in %s", what, page)
        .isEmpty();
  }

  private void useTokens(NameNode nameNode) throws Exception {
    UserGroupInformation alice = kdc.login("alice");
    UserGroupInformation bob = kdc.login("bob");
    for (int i = 0; i < 3; i++) {
      Token<?> token;
      try (DistributedFileSystem fs = fileSystem(nameNode, alice)) {
        token = fs.getDelegationToken("bob");
      }
      secrets.put("password of token " + i, token.getPassword());
      try (DistributedFileSystem fs = fileSystem(nameNode, holder(token))) {
        fs.getFileStatus(ROOT);
      }
      bob.doAs((PrivilegedExceptionAction<Long>) () -> token.renew(conf));
      String shown = "&delegation=" + token.encodeToUrlString();
      web(nameNode, null, "/webhdfs/v1/?op=LISTSTATUS" + shown);
      web(nameNode, null, "/webhdfs/v1/none?op=OPEN" + shown);
      web(nameNode, null, "/webhdfs/v1/none?op=MKDIRS" + shown); // GET: refused
      Token<?> forged =
          new Token<>(token.getIdentifier(), new byte[20], token.getKind(), token.getService());
      web(nameNode, null, "/webhdfs/v1/?op=LISTSTATUS&delegation=" + forged.encodeToUrlString());
      web(nameNode, cookie(nameNode), "/fsck?path=/" + shown);
      if (i == 0) {
        continue; // one stays
      }
      alice.doAs(
          (PrivilegedExceptionAction<Void>)
              () -> {
                token.cancel(conf);
                return null;
              });
      web(nameNode, null, "/webhdfs/v1/?op=LISTSTATUS" + shown);
    }
  }

  private void readKeys(NameNode nameNode) throws Exception {
    Configuration client = new Configuration(conf);
    NamenodeProtocol protocol =
        NameNodeProxies.createNonHAProxy(
                client, nameNode.rpcAddress(), NamenodeProtocol.class, superuser, false)
            .getProxy();
    try {
      for (BlockKey key : protocol.getBlockKeys().getAllKeys()) {
        secrets.put("block key " + key.getKeyId(), key.getEncodedKey());
      }
    } finally {
      RPC.stopProxy(protocol);
    }
    try (DistributedFileSystem fs = fileSystem(nameNode, kdc.login("alice"))) {
      DataEncryptionKey key = fs.getClient().getNamenode().getDataEncryptionKey();
      secrets.put("data encryption key", key.encryptionKey);
    }
  }

  private String cookie(NameNode nameNode) throws Exception {
    AuthenticatedURL.Token token = new AuthenticatedURL.Token();
    URI page = URI.create("http://localhost:" + nameNode.httpAddress().getPort() + "/isActive");
    PrivilegedExceptionAction<Integer> ask =
        () -> new AuthenticatedURL().openConnection(page.toURL(), token).getResponseCode();
    superuser.doAs(ask);
    return token.toString();
  }

  /**
   * @param cookie null: none
   */
  private static HttpResponse<String> web(NameNode nameNode, String cookie, String pathAndQuery)
      throws Exception {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(
            URI.create("http://localhost:" + nameNode.httpAddress().getPort() + pathAndQuery));
    if (cookie != null) {
      request.header("Cookie", AuthenticatedURL.AUTH_COOKIE + "=\"" + cookie + "\"");
    }
    return HttpClient.newHttpClient().send(request.build(), BodyHandlers.ofString());
  }

  /**
   * @param leads one that stands by has fewer pages
   */
  private void readPages(NameNode nameNode, boolean leads, String whose) throws Exception {
    String cookie = cookie(nameNode);
    for (String page :
        new String[] {
          "/conf",
          "/conf?format=json",
          "/jmx",
          "/metrics",
          "/stacks",
          "/index.html",
          "/explorer.html",
          "/dfshealth.html",
          "/api/status",
          "/health",
          "/startupProgress",
          "/logLevel",
          "/logs/",
          "/prom",
          "/check",
          "/fsck?path=/",
          "/webhdfs/v1/?op=LISTSTATUS"
        }) {
      HttpResponse<String> answer = web(nameNode, cookie, page);
      if (leads || page.startsWith("/conf") || page.equals("/jmx")) {
        assertThat(answer.statusCode()).as(page + whose).isEqualTo(200);
      }
      if (!page.equals("/prom")) { // of Hadoop's own figures, of which there are none
        assertThat(answer.body()).as(page).isNotEmpty();
      }
      pages.put(page + whose, answer.headers().map() + "\n" + answer.body());
    }
  }

  private void readMasterKeys() throws Exception {
    NameDirectory directory = NameDirectory.of(conf);
    StoreEngine engine = StoreEngine.of(conf, directory, directory.read(null));
    try (EngineStore store = engine.open();
        Scan rows = store.scan(TokenKeys.masterKeys())) {
      while (rows.hasNext()) {
        Row row = rows.next();
        int id = TokenKeys.masterKeyId(row.key());
        secrets.put("master key " + id, MasterKeyRow.decode(id, row.value()).getKey().getEncoded());
      }
    }
    assertThat(secrets.keySet()).anyMatch(what -> what.startsWith("master key "));
  }
}
