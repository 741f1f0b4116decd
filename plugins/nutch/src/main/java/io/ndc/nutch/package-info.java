/**
 * Near-duplicates in Apache Nutch. Two ways: {@link io.ndc.nutch.NdSignature} and {@link io.ndc.nutch.NearDedupJob} work on sketches in the
 * crawldb, on any number of machines; {@link io.ndc.nutch.NdParseFilter} and {@link io.ndc.nutch.NdIndexingFilter} ask an engine in the process.
 */
package io.ndc.nutch;
