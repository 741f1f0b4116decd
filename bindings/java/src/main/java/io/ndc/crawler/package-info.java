/**
 * What the plugins for crawlers (Nutch, StormCrawler, Heritrix) have in common. It is public for them, and other
 * plugins may use it, but it is no part of the interface that stays: a later version may change it together with the
 * plugins.
 *
 * <p>Nothing is null, neither what is passed nor what is answered, where {@code @Nullable} does not say so. Nothing
 * here needs the native library.
 */
@NullMarked
package io.ndc.crawler;

import org.jspecify.annotations.NullMarked;
