package io.acaciafs.namenode.webhdfs;

import io.acaciafs.blocks.write.Gateways;
import io.acaciafs.namenode.local.LocalClients;
import org.apache.hadoop.conf.Configuration;

/**
 * What WebHDFS needs of the NameNode.
 *
 * @param rpcAddress the {@code host:port}, or the name of the nameservice, by which a DataNode
 *     finds this NameNode
 */
public record WebHdfsServices(
    Configuration conf, LocalClients clients, Gateways gateways, String rpcAddress) {}
