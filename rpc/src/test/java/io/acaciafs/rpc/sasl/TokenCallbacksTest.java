package io.acaciafs.rpc.sasl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.acaciafs.rpc.testkit.FixedTokens;
import java.io.IOException;
import java.util.Base64;
import java.util.List;
import javax.security.auth.callback.Callback;
import javax.security.auth.callback.NameCallback;
import javax.security.auth.callback.PasswordCallback;
import javax.security.auth.callback.UnsupportedCallbackException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.security.CustomizedCallbackHandler;
import org.apache.hadoop.security.token.SecretManager.InvalidToken;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What mechanisms ask for, those of a site too. */
class TokenCallbacksTest {
  private static final int TOKEN = 7;

  /** No mechanism of the JDK knows it. */
  private static final class OwnCallback implements Callback {
    private String name;
    private String password;
  }

  /** The site's class, by Hadoop's interface. */
  public static final class Typed implements CustomizedCallbackHandler {
    @Override
    public void handleCallbacks(List<Callback> callbacks, String name, char[] password) {
      new Untyped().handleCallbacks(callbacks, name, password);
    }
  }

  /** A class that has the method alone will do. */
  public static final class Untyped {
    public void handleCallbacks(List<Callback> callbacks, String name, char[] password) {
      for (Callback callback : callbacks) {
        OwnCallback asked = (OwnCallback) callback;
        asked.name = name;
        asked.password = password == null ? null : new String(password);
      }
    }
  }

  @AfterEach
  void forget() {
    CustomizedCallbackHandler.Cache.clear();
  }

  private static TokenCallbacks callbacks(Configuration conf) throws IOException {
    CustomizedCallbackHandler.Cache.clear(); // a JVM makes one
    return new FixedTokens().add(TOKEN).authentication(conf).newTokenCallbacks();
  }

  private static void find(TokenCallbacks callbacks, NameCallback presented) {
    callbacks.find("username=\"" + presented.getDefaultName() + "\"", Runnable::run);
  }

  private static NameCallback presenting(int number) {
    byte[] identifier = FixedTokens.newIdentifier("alice", number).getBytes();
    return new NameCallback("name", Base64.getEncoder().encodeToString(identifier));
  }

  @ParameterizedTest
  @ValueSource(classes = {Typed.class, Untyped.class})
  void theSitesClassAnswersIt(Class<?> handler) throws Exception {
    Configuration conf = new Configuration();
    conf.set("hadoop.security.sasl.CustomizedCallbackHandler.class", handler.getName());
    TokenCallbacks callbacks = callbacks(conf);
    NameCallback name = presenting(TOKEN);
    OwnCallback own = new OwnCallback();
    find(callbacks, name);
    callbacks.handle(new Callback[] {own, name});
    assertThat(own.name).isEqualTo(name.getDefaultName());
    assertThat(own.password)
        .isEqualTo(Base64.getEncoder().encodeToString(FixedTokens.password(TOKEN)));
    assertThat(callbacks.attempting()).hasToString("alice (auth:TOKEN)");

    OwnCallback beforeAnyName = new OwnCallback();
    callbacks.handle(new Callback[] {beforeAnyName});
    assertThat(beforeAnyName.password).isNull();
    find(callbacks, presenting(8));
    assertThatThrownBy(() -> callbacks.handle(new Callback[] {own, presenting(8)}))
        .isInstanceOf(InvalidToken.class)
        .hasMessageContaining("can't be found in cache");
  }

  @Test
  void withoutSuchAClassNothingDoes() throws IOException {
    TokenCallbacks callbacks = callbacks(new Configuration());
    assertThatThrownBy(() -> callbacks.handle(new Callback[] {new OwnCallback()}))
        .isInstanceOf(UnsupportedCallbackException.class)
        .hasMessage("Unsupported callback: " + OwnCallback.class);
  }

  @Test
  void aMessageThatNamesTwoTokensIsRefused() throws IOException {
    TokenCallbacks callbacks = callbacks(new Configuration());
    find(callbacks, presenting(TOKEN));
    PasswordCallback password = new PasswordCallback("password", false);
    assertThatThrownBy(() -> callbacks.handle(new Callback[] {presenting(8), password}))
        .isInstanceOf(InvalidToken.class)
        .hasMessage("The message names two tokens");
    assertThat(password.getPassword()).isNull();
  }

  /** Else the thread of the network would wait for the store. */
  @Test
  void nothingIsLookedUpThatWasNotNamedBefore() throws Exception {
    TokenCallbacks callbacks = callbacks(new Configuration());
    PasswordCallback password = new PasswordCallback("password", false);
    Callback[] asked = {presenting(TOKEN), password};
    for (String unread : List.of("", "user=\"x\"", "username=x", "username=\"#\"")) {
      assertThat(callbacks.find(unread, Runnable::run)).isDone();
      assertThatThrownBy(() -> callbacks.handle(asked))
          .isInstanceOf(InvalidToken.class)
          .hasMessage("The message names its token as no client does");
    }
    assertThat(password.getPassword()).isNull();
    String name = presenting(TOKEN).getDefaultName();
    assertThat(callbacks.find("realm=\"x\",UserName = \"" + name + "\"", Runnable::run)).isDone();
    callbacks.handle(asked);
    assertThat(password.getPassword()).isNotNull();
  }

  /** Nobody but the site's own mechanism can read its messages. */
  @Test
  void theSitesOwnMechanismHasTokensLookedUpAsItAsks() throws Exception {
    FixedTokens tokens = new FixedTokens().add(TOKEN);
    CustomizedCallbackHandler none = (callbacks, name, password) -> {};
    PasswordCallback password = new PasswordCallback("password", false);
    new TokenCallbacks(tokens, none, true).handle(new Callback[] {presenting(TOKEN), password});
    assertThat(new String(password.getPassword()))
        .isEqualTo(Base64.getEncoder().encodeToString(FixedTokens.password(TOKEN)));
  }
}
