package io.acaciafs.bench.security;

import java.util.Locale;
import org.apache.hadoop.security.SaslRpcServer.QualityOfProtection;
import org.jspecify.annotations.Nullable;

/** How clients prove who they are, and what protects their calls from then on. */
enum Proof {
  NOTHING("nothing", null),
  TICKET("a ticket", QualityOfProtection.AUTHENTICATION),
  TICKET_INTEGRITY("a ticket", QualityOfProtection.INTEGRITY),
  TICKET_PRIVACY("a ticket", QualityOfProtection.PRIVACY),
  TOKEN("a token", QualityOfProtection.AUTHENTICATION),
  TOKEN_PRIVACY("a token", QualityOfProtection.PRIVACY);

  private final String by;
  private final @Nullable QualityOfProtection protection;

  Proof(String by, @Nullable QualityOfProtection protection) {
    this.by = by;
    this.protection = protection;
  }

  boolean isByToken() {
    return this == TOKEN || this == TOKEN_PRIVACY;
  }

  /** By what, for people. */
  String by() {
    return by;
  }

  /** Null: the server has no Kerberos. */
  @Nullable QualityOfProtection protection() {
    return protection;
  }

  /** As {@code hadoop.rpc.protection} says it. */
  String protectionName() {
    return protection == null ? "" : protection.name().toLowerCase(Locale.ROOT);
  }
}
