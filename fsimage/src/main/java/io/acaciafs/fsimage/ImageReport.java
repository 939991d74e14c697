package io.acaciafs.fsimage;

import io.acaciafs.fsimage.survey.Refusal;
import io.acaciafs.fsimage.survey.SurveyCounts;
import java.util.List;
import java.util.Map;

/**
 * What is in an image, and what of it cannot be taken over.
 *
 * @param refused how many of a kind cannot be
 * @param paths some of them
 * @param notes what is not taken over, and needs nobody's consent
 * @param isVerified whether a checksum was there and matches
 */
public record ImageReport(
    SurveyCounts counts,
    long snapshots,
    Map<Refusal, Long> refused,
    Map<Refusal, List<String>> paths,
    List<String> notes,
    boolean isVerified) {}
