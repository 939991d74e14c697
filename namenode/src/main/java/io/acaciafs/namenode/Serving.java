package io.acaciafs.namenode;

import io.acaciafs.kv.engine.EngineStore;
import io.acaciafs.rpc.RpcServer;
import io.acaciafs.web.WebServer;
import org.jspecify.annotations.Nullable;

/**
 * What a process answers with.
 *
 * @param store null while another NameNode leads
 */
record Serving(RpcServer rpcServer, WebServer webServer, @Nullable EngineStore store) {}
