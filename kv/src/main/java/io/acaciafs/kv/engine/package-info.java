/**
 * How a NameNode finds, opens and looks after a store without a word about the engine behind it.
 *
 * <p>An engine module implements {@link io.acaciafs.kv.engine.EngineProvider} and names the class
 * in {@code META-INF/services/io.acaciafs.kv.engine.EngineProvider}. The provider makes an {@link
 * io.acaciafs.kv.engine.Engine} of the site's settings, which opens an {@link
 * io.acaciafs.kv.engine.EngineStore}: the store contract, with what only an operator needs beside
 * it. Powers that not every engine has are interfaces of their own, which an engine may offer. What
 * the transactions of all engines have in common is here as well.
 *
 * <p>Here live interfaces and their values; no engine, no setting by name, and nothing that knows
 * what a file is.
 */
@NullMarked
package io.acaciafs.kv.engine;

import org.jspecify.annotations.NullMarked;
