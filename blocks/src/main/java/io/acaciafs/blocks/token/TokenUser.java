package io.acaciafs.blocks.token;

import org.jspecify.annotations.Nullable;

/**
 * The user of a block token.
 *
 * @param shortName the user's, without a realm
 * @param qop how the user's client is to protect data on its way, in SASL's words: the token tells
 *     the client and the DataNode. Null leaves it to their settings
 */
public record TokenUser(String shortName, @Nullable String qop) {}
