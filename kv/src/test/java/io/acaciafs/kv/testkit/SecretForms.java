package io.acaciafs.kv.testkit;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.LinkedHashSet;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/** A secret as it may stand in a text, also in the middle of more bytes. */
public final class SecretForms {
  /** Shorter ones may come about by chance. */
  private static final int SHORTEST = 8;

  private final Set<String> forms = new LinkedHashSet<>();

  /**
   * @throws IllegalArgumentException if it is so short that a text may have it by chance
   */
  public SecretForms(byte[] secret) {
    if (secret.length < SHORTEST) {
      throw new IllegalArgumentException("a secret of " + secret.length + " bytes");
    }
    forms.add(new String(secret, StandardCharsets.ISO_8859_1));
    forms.add(new String(secret, StandardCharsets.UTF_8));
    forms.add(HexFormat.of().formatHex(secret));
    forms.add(HexFormat.ofDelimiter(" ").formatHex(secret));
    forms.add(HexFormat.ofDelimiter(":").formatHex(secret));
    String numbers = Arrays.toString(secret);
    forms.add(numbers.substring(1, numbers.length() - 1));
    for (int before = 0; before < 3; before++) { // bytes of the first group of three
      byte[] shifted = new byte[before + secret.length];
      System.arraycopy(secret, 0, shifted, before, secret.length);
      for (Base64.Encoder encoder :
          new Base64.Encoder[] {Base64.getEncoder(), Base64.getUrlEncoder()}) {
        String text = encoder.withoutPadding().encodeToString(shifted);
        int from = before == 0 ? 0 : before + 1;
        int last = (shifted.length % 3) == 0 ? text.length() : text.length() - 1;
        forms.add(text.substring(from, last));
      }
    }
  }

  /** How a text tells it, if it does. */
  public Optional<String> in(String text) {
    String lower = text.toLowerCase(Locale.ROOT);
    return forms.stream().filter(form -> text.contains(form) || lower.contains(form)).findFirst();
  }
}
