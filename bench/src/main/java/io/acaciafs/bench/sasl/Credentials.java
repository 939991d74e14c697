package io.acaciafs.bench.sasl;

import org.jspecify.annotations.Nullable;

/**
 * Who a client says it is, and how it proves that.
 *
 * @param user whom its connections name; null: whom the login proves
 * @param login null: nothing is proved, which is Hadoop's SIMPLE authentication
 */
public record Credentials(@Nullable String user, @Nullable SaslLogin login) {

  /** Of a client that just names its user. */
  public static Credentials named(String user) {
    return new Credentials(user, null);
  }

  /** Of a client that proves who it is, and works for nobody else. */
  public static Credentials proved(SaslLogin login) {
    return new Credentials(null, login);
  }
}
