/**
 * Near-duplicates in StormCrawler: {@link io.ndc.stormcrawler.NearDuplicateParseFilter} asks the engine of the worker
 * while a page is parsed, {@link io.ndc.stormcrawler.NearDuplicateBolt} behind the parser; both leave their answer in
 * the page's metadata.
 */
package io.ndc.stormcrawler;
