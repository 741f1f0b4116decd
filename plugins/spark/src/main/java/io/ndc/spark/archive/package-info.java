/**
 * Reads the pages of WARC files (ISO 28500, versions 1.0 and 1.1) from any Hadoop file system, the same ones that the
 * command line reads: {@link io.ndc.spark.archive.ArchiveReader}.
 */
package io.ndc.spark.archive;
