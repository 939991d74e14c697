package io.acaciafs.bench.workload;

import java.util.List;

/**
 * A benchmark.
 *
 * @param preparation makes what must be there, one stage after the other
 * @param measured what is measured, likewise
 */
public record Workload(List<Stage> preparation, List<Stage> measured) {}
