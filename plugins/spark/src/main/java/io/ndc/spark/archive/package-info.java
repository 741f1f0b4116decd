/**
 * Reads the pages of archives from any Hadoop file system: {@link io.ndc.spark.archive.ArchiveReader}. The archives are
 * read by {@link io.ndc.Archive}; here are their bytes, how tasks share them, and what is reported.
 */
package io.ndc.spark.archive;
