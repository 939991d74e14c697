package io.acaciafs.model;

import java.util.Map;
import java.util.Set;

/** What calls cost on one engine, by their names. Immutable. */
public record CallCosts(Map<String, CallCost> byName) {
  public CallCosts {
    byName = Map.copyOf(byName);
  }

  /** The cost of a call that is known. */
  public CallCost of(String call) {
    CallCost cost = byName.get(call);
    if (cost == null) {
      throw new IllegalArgumentException("The cost of this call is not known: " + call);
    }
    return cost;
  }

  Set<String> names() {
    return byName.keySet();
  }

  /** All changes, or all reads, of a site. */
  double perSecond(Site.Calls calls, boolean areChanges) {
    return calls.mix().keySet().stream()
        .filter(call -> of(call).isChange() == areChanges)
        .mapToDouble(calls::perSecond)
        .sum();
  }
}
