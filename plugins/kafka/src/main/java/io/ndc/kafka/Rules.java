package io.ndc.kafka;

import java.util.Map;

/**
 * The numbers by which the steps decide. Those that the engine has too are its options of these names.
 *
 * @param buckets of candidate keys: as many as a topic has partitions
 * @param hotGroups x_hot_groups_limit
 * @param hotHostGroups x_hot_site_groups_limit
 * @param hotHosts x_hot_sites
 * @param candidates x_candidates_limit
 * @param comparisons x_verifications_limit
 * @param exactWidth two equal texts meet by their digest from this width on
 * @param openPages that a partition decides at once; further questions wait in their topic
 * @param retryMs what is not answered so long is asked again
 * @param deadlineMs a page that waits so long for comparisons is decided without
 * @param decisions options of the library with which two pages are compared
 */
record Rules(int buckets, int hotGroups, int hotHostGroups, int hotHosts, int candidates, int comparisons,
    int exactWidth, int openPages, long retryMs, long deadlineMs, Map<String, String> decisions) {
  /** Half of what a record of Kafka may have: with what the site knows of them they are half as long again. */
  static final int MOST_FEATURE_BYTES = 8 << 20;

  /** Representatives that a page is sent to at first; most pages need no more. */
  static final int FIRST_COMPARISONS = 4;

  static Rules defaults(int buckets) {
    return new Rules(buckets, 10_000, 400, 8, 16, 8, 40, 64, 2_000, 10_000, Map.of());
  }
}
