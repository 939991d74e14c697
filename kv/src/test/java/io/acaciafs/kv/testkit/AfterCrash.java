package io.acaciafs.kv.testkit;

import io.acaciafs.kv.Store;
import java.util.Set;

/**
 * What is left of a run of {@link CrashWorkload}.
 *
 * @param store opened again; the kit closes it
 * @param acknowledged the commits that were said to be durable
 */
public record AfterCrash(Store store, Set<Integer> acknowledged) {}
