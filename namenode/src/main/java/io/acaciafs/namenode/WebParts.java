package io.acaciafs.namenode;

import io.acaciafs.blocks.BlockManager;
import io.acaciafs.blocks.ClusterIdentity;
import io.acaciafs.kv.Reader;
import io.acaciafs.kv.Store;
import io.acaciafs.kv.engine.EngineStore;
import io.acaciafs.namenode.audit.AuditLog;
import io.acaciafs.namenode.check.CheckServlet;
import io.acaciafs.namenode.check.Comparison;
import io.acaciafs.namenode.fsck.FsckServices;
import io.acaciafs.namenode.fsck.FsckServlet;
import io.acaciafs.namenode.image.ImageMaker;
import io.acaciafs.namenode.image.ImageServlet;
import io.acaciafs.namenode.local.LocalClients;
import io.acaciafs.namenode.reply.Callers;
import io.acaciafs.namenode.reply.PathsOfFiles;
import io.acaciafs.namenode.settings.KerberosLogin;
import io.acaciafs.namenode.settings.RpcConfig;
import io.acaciafs.namenode.store.Engines;
import io.acaciafs.namenode.token.TokenVerifier;
import io.acaciafs.namenode.webhdfs.NobodyFilter;
import io.acaciafs.namenode.webhdfs.WebHdfs;
import io.acaciafs.namenode.webhdfs.WebHdfsServices;
import io.acaciafs.namenode.webhdfs.WebTokens;
import io.acaciafs.namespace.settings.NamespaceSettings;
import io.acaciafs.web.WebPart;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import javax.servlet.http.HttpServlet;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.server.common.JspHelper;
import org.apache.hadoop.hdfs.web.ParamFilter;
import org.apache.hadoop.http.IsActiveServlet;
import org.apache.hadoop.security.http.RestCsrfPreventionFilter;

/** What this NameNode serves by HTTP. */
final class WebParts {
  private WebParts() {}

  /** For load balancers. */
  static WebPart active(BooleanSupplier isActive) {
    return site -> site.servlet("/isActive", new Active(isActive));
  }

  /**
   * HDFS over HTTP.
   *
   * @param tokens tells which tokens are valid
   */
  static WebPart webHdfs(
      Configuration conf,
      LocalClients clients,
      BlockManager blocks,
      TokenVerifier tokens,
      InetSocketAddress rpcAddress) {
    WebHdfsServices services =
        new WebHdfsServices(
            conf, clients, blocks.gateways(), RpcConfig.addressForDataNodes(conf, rpcAddress));
    return site -> {
      site.attribute(JspHelper.CURRENT_CONF, conf)
          .attribute(WebTokens.VERIFIER_ATTRIBUTE, WebTokens.verifier(tokens::verify))
          .servlet(WebHdfs.PATH, WebHdfs.servlet(services));
      Map<String, String> csrf = WebHdfs.csrfParameters(conf);
      if (csrf != null) {
        site.filter(WebHdfs.PATH, new RestCsrfPreventionFilter(), csrf);
      }
      site.filter(WebHdfs.PATH, new ParamFilter(), Map.of());
      if (KerberosLogin.isWanted(conf)) {
        site.filter(WebHdfs.PATH, new NobodyFilter());
      }
    };
  }

  /** For {@code hdfs fsck}. */
  static WebPart fsck(
      Configuration conf,
      LocalClients clients,
      BlockManager blocks,
      Reader store,
      NamespaceSettings settings,
      AuditLog audit) {
    FsckServices services =
        new FsckServices(
            conf,
            clients,
            blocks,
            new Callers(settings, () -> false)::isSuperuser,
            inodeId -> PathsOfFiles.pathOf(store, inodeId),
            Clock.systemUTC(),
            audit);
    return site -> site.servlet(FsckServlet.PATH, new FsckServlet(services));
  }

  /** For {@code acacia check}. */
  static WebPart check(
      Configuration conf, Store store, NamespaceSettings settings, Comparison comparison) {
    CheckServlet servlet =
        new CheckServlet(
            conf,
            store,
            settings.features().storagePolicies(),
            comparison,
            new Callers(settings, () -> false)::isSuperuser);
    return site -> site.servlet(CheckServlet.PATH, servlet);
  }

  /** For {@code hdfs dfsadmin -fetchImage}. */
  static WebPart image(EngineStore store, ClusterIdentity identity, Path nameFolder) {
    Path folder = nameFolder.resolve("image.tmp");
    ImageServlet servlet =
        new ImageServlet(
            store.checkpoints().map(copies -> new ImageMaker(copies, identity, folder)),
            "Images are made of the engine "
                + Engines.namesInFolder()
                + " alone; 'acacia backup' copies this store");
    return site -> site.servlet(ImageServlet.PATH, servlet);
  }

  /**
   * In place of what acts for a user and takes no tokens, where users prove who they are: by HTTP
   * they cannot otherwise yet.
   */
  static WebPart closed() {
    HttpServlet refusing = new Refusing();
    return site -> {
      for (String path : List.of(FsckServlet.PATH, CheckServlet.PATH, ImageServlet.PATH)) {
        site.servlet(path, refusing);
      }
    };
  }

  private static final class Refusing extends HttpServlet {
    private static final long serialVersionUID = 1;

    @Override
    protected void service(HttpServletRequest request, HttpServletResponse response)
        throws IOException {
      response.sendError(
          HttpServletResponse.SC_FORBIDDEN,
          "Security enabled but user not authenticated by filter: this NameNode does not speak"
              + " Kerberos by HTTP yet");
    }
  }

  private static final class Active extends IsActiveServlet {
    private final transient BooleanSupplier isActive;

    Active(BooleanSupplier isActive) {
      this.isActive = isActive;
    }

    @Override
    protected boolean isActive() {
      return isActive.getAsBoolean();
    }
  }
}
