/**
 * Partitions web archives of any size into groups of near-duplicates on Apache Spark; {@link io.ndc.spark.NdPartition}
 * is the job. How it works: docs/spark.md.
 */
package io.ndc.spark;
