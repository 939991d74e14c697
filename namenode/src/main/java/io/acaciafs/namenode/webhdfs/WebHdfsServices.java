package io.acaciafs.namenode.webhdfs;

import io.acaciafs.blocks.write.Gateways;
import io.acaciafs.namenode.local.LocalClients;
import io.acaciafs.namenode.token.RedirectTokens;
import io.acaciafs.namenode.webuser.WebUsers;
import org.apache.hadoop.conf.Configuration;

/**
 * What WebHDFS needs of the NameNode.
 *
 * @param users tells for whom a request is to be done
 * @param redirectTokens by which DataNodes act for users who have shown none
 * @param rpcAddress the {@code host:port}, or the name of the nameservice, by which a DataNode
 *     finds this NameNode
 */
public record WebHdfsServices(
    Configuration conf,
    WebUsers users,
    LocalClients clients,
    Gateways gateways,
    RedirectTokens redirectTokens,
    String rpcAddress) {}
