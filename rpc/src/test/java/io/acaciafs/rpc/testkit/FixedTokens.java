package io.acaciafs.rpc.testkit;

import io.acaciafs.rpc.sasl.Authentication;
import io.acaciafs.rpc.sasl.TokenPasswords;
import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.Executor;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.security.token.delegation.DelegationTokenIdentifier;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.security.SecurityUtil;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.authentication.util.KerberosName;
import org.apache.hadoop.security.token.SecretManager.InvalidToken;
import org.apache.hadoop.security.token.Token;
import org.apache.hadoop.security.token.TokenIdentifier;

/**
 * Tokens by their sequence numbers: a valid one has "secret" and its number as password, which is
 * at hand. A test may say what the lookup of a number does instead, or what it waits for.
 */
public final class FixedTokens implements TokenPasswords {
  private final Set<Integer> valid = ConcurrentHashMap.newKeySet();
  private final ConcurrentMap<Integer, Lookup> lookups = new ConcurrentHashMap<>();
  private final ConcurrentMap<Integer, CompletableFuture<byte[]>> waits = new ConcurrentHashMap<>();

  /** Finds the password of one token. */
  @FunctionalInterface
  public interface Lookup {
    byte[] password() throws IOException;
  }

  /** A server's authentication by these tokens, and by Kerberos as nn/localhost. */
  public Authentication authentication(String protection) throws IOException {
    Configuration conf = new Configuration();
    conf.set("hadoop.rpc.protection", protection);
    return authentication(conf);
  }

  /** The same with a protection of the site's own. */
  public Authentication authentication(Configuration conf) throws IOException {
    KerberosName.setRules("RULE:[1:$1] RULE:[2:$1]");
    conf.set("hadoop.security.authentication", "kerberos");
    return Authentication.of(
        conf, UserGroupInformation.createRemoteUser("nn/localhost@EXAMPLE.COM"), this);
  }

  /** The same where clients without a token may just name themselves. */
  public Authentication optional() throws IOException {
    return Authentication.of(
        new Configuration(), UserGroupInformation.createRemoteUser("server"), this);
  }

  /** The token is valid. */
  public FixedTokens add(int number) {
    valid.add(number);
    return this;
  }

  public FixedTokens add(int number, Lookup lookup) {
    lookups.put(number, lookup);
    return this;
  }

  /** The lookup waits until this is completed. */
  public FixedTokens add(int number, CompletableFuture<byte[]> password) {
    waits.put(number, password);
    return this;
  }

  public static byte[] password(int number) {
    return ("secret" + number).getBytes(StandardCharsets.UTF_8);
  }

  public static DelegationTokenIdentifier newIdentifier(String owner, int number) {
    DelegationTokenIdentifier identifier =
        new DelegationTokenIdentifier(new Text(owner), new Text(), new Text());
    identifier.setSequenceNumber(number);
    return identifier;
  }

  /** A user without a ticket whose client has a token of alice for this server. */
  public static UserGroupInformation holder(InetSocketAddress server, int number, byte[] password) {
    DelegationTokenIdentifier identifier = newIdentifier("alice", number);
    UserGroupInformation holder = UserGroupInformation.createRemoteUser("whoever");
    holder.addToken(
        new Token<>(
            identifier.getBytes(),
            password,
            identifier.getKind(),
            SecurityUtil.buildTokenService(server)));
    return holder;
  }

  @Override
  public TokenIdentifier identifier(byte[] bytes) throws InvalidToken {
    DelegationTokenIdentifier identifier = new DelegationTokenIdentifier();
    try {
      identifier.readFields(new DataInputStream(new ByteArrayInputStream(bytes)));
    } catch (IOException e) {
      throw new InvalidToken("Can't de-serialize tokenIdentifier");
    }
    return identifier;
  }

  @Override
  public CompletableFuture<byte[]> password(TokenIdentifier identifier, Executor here) {
    int number = ((DelegationTokenIdentifier) identifier).getSequenceNumber();
    if (valid.contains(number)) {
      return CompletableFuture.completedFuture(password(number));
    }
    CompletableFuture<byte[]> waited = waits.get(number);
    if (waited != null) {
      return waited.thenApplyAsync(password -> password, here);
    }
    try {
      Lookup lookup = lookups.get(number);
      if (lookup == null) {
        throw new InvalidToken("Token " + identifier + " can't be found in cache");
      }
      return CompletableFuture.completedFuture(lookup.password());
    } catch (IOException e) {
      return CompletableFuture.failedFuture(e);
    }
  }
}
