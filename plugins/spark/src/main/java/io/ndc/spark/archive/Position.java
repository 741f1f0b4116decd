package io.ndc.spark.archive;

/**
 * A place in a file.
 *
 * @param fileOffset bytes from the start of the file; of the gzip member's first byte if it is compressed
 * @param memberOffset decompressed bytes from there; 0 in a plain file
 */
record Position(long fileOffset, long memberOffset) {}
