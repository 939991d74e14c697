package io.acaciafs.namenode.members;

/**
 * A NameNode that ended without a word.
 *
 * @param renewedMs when it renewed its lease last, since the epoch, by its own clock
 */
public record DepartedMember(Member member, long renewedMs) {}
