package io.ndc.spark.archive;

/**
 * The result of decoding.
 *
 * @param bytes decoded, at most the limit
 * @param outcome whether that is all
 */
record Decoded(ByteRange bytes, Outcome outcome) {
  enum Outcome {
    COMPLETE,
    /** The data ends too early; the bytes are what it gave. */
    CUT,
    /** The data is wrong from some point on; the bytes are what came before. */
    DAMAGED,
    /** More than the limit; the bytes are the first of them. */
    OVER_LIMIT
  }
}
