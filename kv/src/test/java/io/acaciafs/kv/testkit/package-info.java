/**
 * The conformance kit: what every engine must pass. An engine's module extends {@link
 * io.acaciafs.kv.testkit.StoreConformance} and nothing else of it.
 *
 * <p>Each sentence of the contract has a test here, in an interface for its chapter. What only one
 * engine promises is tested beside that engine.
 */
package io.acaciafs.kv.testkit;
