package io.ndc.kafka;

import io.ndc.Result;

/**
 * What was committed about a page.
 *
 * @param host of {@link PageFacts}
 * @param round in which it was decided; the next one is greater
 * @param time of its place: when it came first
 * @param group as it was committed; it may have been merged since
 * @param groupTime of the place of that group
 * @param representative the URL of the page that it was found equal or similar to; empty: it founded its group
 * @param isLate whether it was decided without a comparison that may still come
 */
record PageState(String url, String host, long textHash, long fetchedAtMs, long round, long time, long group,
    long groupTime, String representative, boolean isLate, Result result) {
  PageState in(long newGroup) {
    return new PageState(url, host, textHash, fetchedAtMs, round, time, newGroup, groupTime,
        representative, isLate, Answers.in(result, newGroup));
  }

  PageState inRound(long newRound, boolean isLateThen) {
    return new PageState(
        url, host, textHash, fetchedAtMs, newRound, time, group, groupTime, representative, isLateThen, result);
  }

  /** Whatever comes next is another text. */
  PageState withoutText() {
    return new PageState(url, host, 0, fetchedAtMs, round, time, group, groupTime, representative, isLate, result);
  }

  PageState seenAt(long ms) {
    return new PageState(url, host, textHash, Math.max(fetchedAtMs, ms), round, time, group, groupTime,
        representative, isLate, result);
  }
}
