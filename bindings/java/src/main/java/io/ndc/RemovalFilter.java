package io.ndc;

import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Which pages {@link NearDuplicates#removeMatching} forgets: those that meet all conditions that are set. At least one
 * must be set. Immutable; each method gives a new filter.
 */
public final class RemovalFilter {
  private static final RemovalFilter NOTHING_SET = new RemovalFilter("", "", 0, false);

  private final String urlPrefix;
  private final String site;
  private final long fetchedBeforeMs;
  private final boolean purge;

  private RemovalFilter(String urlPrefix, String site, long fetchedBeforeMs, boolean purge) {
    this.urlPrefix = urlPrefix;
    this.site = site;
    this.fetchedBeforeMs = fetchedBeforeMs;
    this.purge = purge;
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
   * @param ms milliseconds since 1970-01-01 UTC; positive
   * @return a filter with this condition
   */
  public static RemovalFilter fetchedBefore(long ms) {
    return NOTHING_SET.withFetchedBefore(ms);
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
   * Adds a condition; see {@link #fetchedBefore(long)}.
   *
   * @param ms positive
   * @return a new filter
   */
  public RemovalFilter withFetchedBefore(long ms) {
    if (ms <= 0) throw new InvalidArgumentException("the time of a removal filter is " + ms + ", but must be positive");
    return new RemovalFilter(urlPrefix, site, ms, purge);
  }

  /**
   * Adds a condition; see {@link #fetchedBefore(Instant)}.
   *
   * @param time after 1970-01-01 UTC
   * @return a new filter
   */
  public RemovalFilter withFetchedBefore(Instant time) {
    return withFetchedBefore(Arguments.milliseconds(time, "the time of a removal filter"));
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

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof RemovalFilter filter && urlPrefix.equals(filter.urlPrefix) && site.equals(filter.site)
        && fetchedBeforeMs == filter.fetchedBeforeMs && purge == filter.purge;
  }

  @Override
  public int hashCode() {
    return Objects.hash(urlPrefix, site, fetchedBeforeMs, purge);
  }

  /** The conditions, for people. */
  @Override
  public String toString() {
    return "RemovalFilter[urlPrefix=" + urlPrefix + ", site=" + site + ", fetchedBeforeMs=" + fetchedBeforeMs
        + ", purging=" + purge + "]";
  }

  long apply(long handle) {
    return NativeCalls.removeMatching(handle, Utf8.encode(urlPrefix), Utf8.encode(site), fetchedBeforeMs, purge);
  }
}
