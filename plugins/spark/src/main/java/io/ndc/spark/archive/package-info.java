/**
 * Reads the pages of WARC files (ISO 28500, versions 1.0 and 1.1) from any Hadoop file system, the same ones
 * that the command line reads: {@link io.ndc.spark.archive.ArchiveReader}. What differs:
 *
 * <ul>
 *   <li>Bytes of a URL that are not UTF-8 are percent-encoded, as Java's strings cannot hold them.
 *   <li>Of brotli data that is damaged, and not only cut, another part may be given, or none.
 *   <li>A gzip member that gives nothing but line ends before its damage does not cost the record before it.
 * </ul>
 */
package io.ndc.spark.archive;
