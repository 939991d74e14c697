package io.acaciafs.bench.sasl;

import java.io.IOException;
import java.nio.file.Path;
import java.security.PrivilegedActionException;
import java.security.PrivilegedExceptionAction;
import java.util.Map;
import java.util.Objects;
import javax.security.auth.Subject;
import javax.security.auth.login.AppConfigurationEntry;
import javax.security.auth.login.AppConfigurationEntry.LoginModuleControlFlag;
import javax.security.auth.login.Configuration;
import javax.security.auth.login.LoginContext;
import javax.security.auth.login.LoginException;
import javax.security.sasl.Sasl;
import javax.security.sasl.SaslClient;
import org.apache.hadoop.ipc.protobuf.RpcHeaderProtos.RpcSaslProto.SaslAuth;
import org.apache.hadoop.security.SaslRpcServer.AuthMethod;
import org.apache.hadoop.security.SaslRpcServer.QualityOfProtection;

/**
 * Kerberos by GSSAPI. The first connection to a service gets a ticket for it from the KDC, which
 * the subject keeps for all others. Any thread.
 */
public final class TicketLogin implements SaslLogin {
  private static final String[] MECHANISMS = {"GSSAPI"};

  private final Subject subject;
  private final Map<String, String> properties;

  /**
   * @param subject has a ticket of a user
   */
  public TicketLogin(Subject subject, QualityOfProtection protection) {
    this.subject = subject;
    properties =
        Map.of(Sasl.QOP, protection.getSaslQop(), Sasl.SERVER_AUTH, Boolean.TRUE.toString());
  }

  /**
   * Gets a user's ticket from the KDC of this JVM's {@code java.security.krb5.conf}.
   *
   * @param principal with its realm
   * @param keytab has its key
   * @throws IOException if the KDC gives none
   */
  public static Subject ticketOf(String principal, Path keytab) throws IOException {
    AppConfigurationEntry entry =
        new AppConfigurationEntry(
            "com.sun.security.auth.module.Krb5LoginModule",
            LoginModuleControlFlag.REQUIRED,
            Map.of(
                "principal", principal,
                "useKeyTab", "true",
                "keyTab", keytab.toString(),
                "doNotPrompt", "true",
                "refreshKrb5Config", "true"));
    Configuration one =
        new Configuration() {
          @Override
          public AppConfigurationEntry[] getAppConfigurationEntry(String name) {
            return new AppConfigurationEntry[] {entry};
          }
        };
    Subject subject = new Subject();
    try {
      new LoginContext("bench", subject, null, one).login();
    } catch (LoginException e) {
      throw new IOException("No ticket for " + principal + ": " + e.getMessage(), e);
    }
    return subject;
  }

  @Override
  public AuthMethod method() {
    return AuthMethod.KERBEROS;
  }

  @Override
  public SaslClient begin(SaslAuth offer) throws IOException {
    return asSubject(
        () ->
            Objects.requireNonNull(
                Sasl.createSaslClient(
                    MECHANISMS, null, offer.getProtocol(), offer.getServerId(), properties, null),
                "the JDK has GSSAPI"));
  }

  @Override
  public byte[] answer(SaslClient client, byte[] challenge) throws IOException {
    byte[] answer = asSubject(() -> client.evaluateChallenge(challenge));
    return answer == null ? new byte[0] : answer;
  }

  private <T> T asSubject(PrivilegedExceptionAction<T> action) throws IOException {
    try {
      return Subject.doAs(subject, action);
    } catch (PrivilegedActionException e) {
      throw new IOException(e.getCause());
    }
  }
}
