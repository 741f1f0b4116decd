package io.ndc.nutch;

import crawlercommons.domains.EffectiveTldFinder;
import io.ndc.crawler.HostPatterns;

/** The site of a URL, within which thresholds of their own hold. */
final class Site {
  private Site() {}

  /**
   * The registrable domain of a URL, by the whole public suffix list, as ndc has it; its host where there is none, as
   * of an IP address.
   */
  static String of(String url) {
    String host = HostPatterns.hostOf(url);
    try {
      String domain = EffectiveTldFinder.getAssignedDomain(host, false, false);
      return domain == null ? host : domain;
    } catch (IllegalArgumentException e) {
      return host;
    }
  }
}
