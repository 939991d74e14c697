package io.acaciafs.bench.workload;

import java.util.List;

/**
 * A benchmark.
 *
 * @param preparation makes what must be there, one stage after the other
 * @param warmUp as what is measured, in the same directories; has no end. Null: what is measured
 *     can be done twice
 * @param measured what is measured, one stage after the other
 */
public record Workload(List<Stage> preparation, Stage warmUp, List<Stage> measured) {}
