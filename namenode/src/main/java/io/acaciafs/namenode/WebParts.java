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
import io.acaciafs.namenode.ha.MemberAddresses;
import io.acaciafs.namenode.image.ImageMaker;
import io.acaciafs.namenode.image.ImageServlet;
import io.acaciafs.namenode.local.LocalClients;
import io.acaciafs.namenode.monitor.ShellPage;
import io.acaciafs.namenode.process.RunningWork;
import io.acaciafs.namenode.reply.Callers;
import io.acaciafs.namenode.reply.PathsOfFiles;
import io.acaciafs.namenode.settings.NameNodeConfigKeys;
import io.acaciafs.namenode.settings.RpcConfig;
import io.acaciafs.namenode.store.Engines;
import io.acaciafs.namenode.token.RedirectTokens;
import io.acaciafs.namenode.webhdfs.TransferServlet;
import io.acaciafs.namenode.webhdfs.WebHdfs;
import io.acaciafs.namenode.webhdfs.WebHdfsServices;
import io.acaciafs.namenode.webuser.WebUsers;
import io.acaciafs.namespace.settings.NamespaceSettings;
import io.acaciafs.web.CrossSiteFilter;
import io.acaciafs.web.JsonPart;
import io.acaciafs.web.WebPart;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Map;
import java.util.function.BooleanSupplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.server.common.JspHelper;
import org.apache.hadoop.hdfs.web.ParamFilter;
import org.apache.hadoop.http.IsActiveServlet;
import org.apache.hadoop.net.NetUtils;
import org.apache.hadoop.security.http.RestCsrfPreventionFilter;
import org.apache.hadoop.util.Time;

/** What this NameNode serves by HTTP. */
final class WebParts {
  private WebParts() {}

  /** For load balancers. */
  static WebPart active(BooleanSupplier isActive) {
    return site -> site.servlet("/isActive", new Active(isActive));
  }

  /** What the pages of this NameNode need to know before they show anything. */
  static WebPart shell(Configuration conf, InetSocketAddress address, ShellPage.Role role) {
    ShellPage page =
        new ShellPage(
            NetUtils.getHostPortString(address),
            role,
            NameNodeConfigKeys.WEB_ACTIONS.in(conf::getTrimmed),
            WebHdfs.csrfHeader(conf),
            new MemberAddresses(conf, Assembly::configuration, Time::monotonicNow)::otherPages);
    return new JsonPart("/api/shell", page::read);
  }

  /**
   * HDFS over HTTP.
   *
   * @param users tells for whom a request is to be done
   */
  static WebPart webHdfs(
      Configuration conf,
      WebUsers users,
      LocalClients clients,
      BlockManager blocks,
      RedirectTokens redirectTokens,
      InetSocketAddress rpcAddress) {
    WebHdfsServices services =
        new WebHdfsServices(
            conf,
            users,
            clients,
            blocks.gateways(),
            redirectTokens,
            RpcConfig.addressForDataNodes(conf, rpcAddress));
    return site -> {
      site.attribute(JspHelper.CURRENT_CONF, conf).servlet(WebHdfs.PATH, WebHdfs.servlet(services));
      site.servlet(TransferServlet.PATH, new TransferServlet(blocks));
      Map<String, String> csrf = WebHdfs.csrfParameters(conf);
      site.filter(WebHdfs.PATH, new CrossSiteFilter(conf));
      if (csrf != null) {
        site.filter(WebHdfs.PATH, new RestCsrfPreventionFilter(), csrf);
      }
      site.filter(WebHdfs.PATH, new ParamFilter(), Map.of());
    };
  }

  /** For {@code hdfs fsck}. */
  static WebPart fsck(
      Configuration conf,
      WebUsers users,
      LocalClients clients,
      BlockManager blocks,
      Reader store,
      NamespaceSettings settings,
      AuditLog audit) {
    FsckServices services =
        new FsckServices(
            conf,
            users,
            clients,
            blocks,
            new Callers(settings, null)::isSuperuser,
            inodeId -> PathsOfFiles.pathOf(store, inodeId),
            Clock.systemUTC(),
            audit);
    return site ->
        site.servlet(FsckServlet.PATH, new FsckServlet(services))
            .filter(FsckServlet.PATH, new CrossSiteFilter(conf, FsckServlet::changes));
  }

  /** For {@code acacia check}. */
  static WebPart check(
      WebUsers users,
      Store store,
      NamespaceSettings settings,
      Comparison comparison,
      RunningWork running) {
    CheckServlet servlet =
        new CheckServlet(
            users,
            store,
            settings.features().storagePolicies(),
            comparison,
            running,
            new Callers(settings, null)::isSuperuser);
    return site -> site.servlet(CheckServlet.PATH, servlet);
  }

  /** For {@code hdfs dfsadmin -fetchImage}. */
  static WebPart image(
      Configuration conf,
      EngineStore store,
      ClusterIdentity identity,
      Path nameFolder,
      RunningWork running) {
    Path folder = nameFolder.resolve("image.tmp");
    ImageServlet servlet =
        new ImageServlet(
            store.checkpoints().map(copies -> new ImageMaker(copies, identity, folder, running)),
            "Images are made of the engine "
                + Engines.namesInFolder()
                + " alone; 'acacia backup' copies this store",
            conf);
    return site -> site.servlet(ImageServlet.PATH, servlet);
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
