package io.acaciafs.bench.workload;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A benchmark.
 *
 * @param preparation makes what must be there, one stage after the other
 * @param rehearsal after that, as much as is measured; for who cannot do {@code warmUp} for a while
 * @param warmUp as what is measured, in the same directories; has no end. Null: what is measured
 *     can be done twice
 * @param measured what is measured, one stage after the other
 */
public record Workload(
    List<Stage> preparation, List<Stage> rehearsal, @Nullable Stage warmUp, List<Stage> measured) {

  Workload(List<Stage> preparation, @Nullable Stage warmUp, List<Stage> measured) {
    this(preparation, List.of(), warmUp, measured);
  }
}
