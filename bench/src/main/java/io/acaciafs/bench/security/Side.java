package io.acaciafs.bench.security;

import io.acaciafs.bench.BenchSettings;
import io.acaciafs.bench.compare.Contestant;
import io.acaciafs.bench.compare.Server;
import io.acaciafs.bench.compare.Site;
import io.acaciafs.bench.sasl.Credentials;
import io.acaciafs.bench.sasl.SaslLogin;
import io.acaciafs.bench.sasl.TicketLogin;
import io.acaciafs.bench.sasl.TokenLogin;
import io.acaciafs.namenode.process.ResourceStack;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import javax.security.auth.Subject;
import org.apache.hadoop.security.SaslRpcServer.QualityOfProtection;
import org.apache.hadoop.security.proto.SecurityProtos.TokenProto;

/** One program's NameNodes, without Kerberos and with it. For one thread. */
final class Side implements AutoCloseable {
  private static final String ROOT = "/bench";

  private final ResourceStack resources = new ResourceStack();
  private final Server open;
  private final Server secure;
  private final Subject ticket;
  private final TokenProto token;

  private Side(
      Contestant contestant, Path folder, List<String> jvmOptions, Realm realm, Subject ticket)
      throws IOException {
    this.ticket = ticket;
    List<String> secureOptions = new ArrayList<>(jvmOptions);
    secureOptions.add(realm.jvmOption());
    try {
      open = start(Site.create(contestant, folder.resolve("open"), jvmOptions, Map.of()));
      secure =
          start(
              Site.create(
                  contestant, folder.resolve("secure"), secureOptions, realm.serverSettings()));
      token =
          NewToken.get(
              secure.address(),
              Credentials.proved(new TicketLogin(ticket, QualityOfProtection.AUTHENTICATION)));
    } catch (IOException e) {
      throw resources.closeAfter(e);
    }
  }

  private Server start(Site site) throws IOException {
    Server.format(site);
    return resources.add(Server.startWithoutDatanodes(site));
  }

  /**
   * Starts both.
   *
   * @param folder for their files
   * @param ticket of the client
   */
  static Side start(
      Contestant contestant, Path folder, List<String> jvmOptions, Realm realm, Subject ticket)
      throws IOException {
    return new Side(contestant, folder, jvmOptions, realm, ticket);
  }

  /** The one of the two where clients prove this, with such clients. */
  BenchSettings.Target target(Proof proof) {
    QualityOfProtection protection = proof.protection();
    if (protection == null) {
      return new BenchSettings.Target(open.address(), open.pids(), ROOT);
    }
    SaslLogin login =
        proof.isByToken()
            ? new TokenLogin(
                token.getIdentifier().toByteArray(), token.getPassword().toByteArray(), protection)
            : new TicketLogin(ticket, protection);
    return new BenchSettings.Target(
        secure.address(), secure.pids(), Credentials.proved(login), ROOT);
  }

  @Override
  public void close() throws IOException {
    resources.close();
  }
}
