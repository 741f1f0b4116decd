/**
 * Near-duplicate detection inside Heritrix 3: a processor that asks ndc about each fetched page, a rule that routes by the verdict, and
 * a builder of WARC metadata records that keep it. {@code docs/guide-heritrix.md} shows how they go into {@code crawler-beans.cxml}.
 *
 * <p>All of them give advice only: whatever fails in ndc, the page is fetched, written and its links are followed.
 */
package io.ndc.heritrix;
