package io.ndc;

import java.time.Instant;

/**
 * Which pages {@link NearDuplicates#removeMatching} forgets: those that meet all conditions that are set. At least one
 * must be set. Each method gives a new filter.
 *
 * @param urlPrefix of the pages' URLs, compared byte by byte; empty: any
 * @param site the pages' registrable domain, {@code example.co.uk}; empty: any
 * @param fetchedBeforeMs after the pages were last fetched, in milliseconds since 1970-01-01 UTC; 0: at any time
 * @param purge see {@link #purging()}
 */
public record RemovalFilter(String urlPrefix, String site, long fetchedBeforeMs, boolean purge) {
  private static final RemovalFilter NOTHING_SET = new RemovalFilter("", "", 0, false);

  /**
   * Checks the conditions.
   *
   * @param urlPrefix not null
   * @param site not null
   * @param fetchedBeforeMs not negative
   * @param purge either
   * @throws InvalidArgumentException for null, or a time before 1970
   */
  public RemovalFilter {
    Arguments.notNull(urlPrefix, "the URL prefix of a removal filter");
    Arguments.notNull(site, "the site of a removal filter");
    if (fetchedBeforeMs < 0) throw new InvalidArgumentException("the time of a removal filter is before 1970");
  }

  /**
   * Pages whose URL begins so.
   *
   * @param urlPrefix compared byte by byte; not null, not empty
   * @return a filter with this condition
   */
  public static RemovalFilter urlPrefix(String urlPrefix) {
    return NOTHING_SET.withUrlPrefix(urlPrefix);
  }

  /**
   * Pages of a site.
   *
   * @param site its registrable domain, {@code example.co.uk}; not null, not empty
   * @return a filter with this condition
   */
  public static RemovalFilter site(String site) {
    return NOTHING_SET.withSite(site);
  }

  /**
   * Pages that were last fetched before a time.
   *
   * @param time after 1970-01-01 UTC
   * @return a filter with this condition
   */
  public static RemovalFilter fetchedBefore(Instant time) {
    return NOTHING_SET.withFetchedBefore(time);
  }

  /**
   * Adds a condition; see {@link #urlPrefix(String)}.
   *
   * @param prefix not null, not empty
   * @return a new filter
   */
  public RemovalFilter withUrlPrefix(String prefix) {
    Arguments.notEmpty(prefix, "the URL prefix of a removal filter");
    return new RemovalFilter(prefix, site, fetchedBeforeMs, purge);
  }

  /**
   * Adds a condition; see {@link #site(String)}.
   *
   * @param domain not null, not empty
   * @return a new filter
   */
  public RemovalFilter withSite(String domain) {
    Arguments.notEmpty(domain, "the site of a removal filter");
    return new RemovalFilter(urlPrefix, domain, fetchedBeforeMs, purge);
  }

  /**
   * Adds a condition; see {@link #fetchedBefore(Instant)}.
   *
   * @param time after 1970-01-01 UTC
   * @return a new filter
   */
  public RemovalFilter withFetchedBefore(Instant time) {
    long ms = Arguments.milliseconds(time, "the time of a removal filter");
    if (ms <= 0) throw new InvalidArgumentException("the time of a removal filter is " + time + ", not after 1970");
    return new RemovalFilter(urlPrefix, site, ms, purge);
  }

  /**
   * Lets no text of a removed page stay, not even where it represents a group that remains: such a group elects another
   * representative, against which its members are verified again. Costs a verification for each member of such groups.
   *
   * @return a new filter
   */
  public RemovalFilter purging() {
    return new RemovalFilter(urlPrefix, site, fetchedBeforeMs, true);
  }

  long apply(long handle) {
    return NativeCalls.removeMatching(handle, Utf8.encode(urlPrefix), Utf8.encode(site), fetchedBeforeMs, purge);
  }
}
