package io.acaciafs.model;

/**
 * The servers of one kind, all alike.
 *
 * @param utilisation part of their processors that is in use; NaN where that is not modelled
 * @param memoryBytes of each
 * @param diskBytes of each
 */
public record ServerGroup(
    String kind, int count, double utilisation, double memoryBytes, double diskBytes) {}
